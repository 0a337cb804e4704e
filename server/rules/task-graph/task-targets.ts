import { toTimestamp } from "../../base/clock.ts";
import { type ActiveTime, getActiveTime } from "../../business-time/active-time.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { formatMomentOrNull } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";

// When the tasks of a workflow or a project should be assigned and done: TK14, TK15, PT7. Worked out for all of them
// together, because a task waits for the targets of those before it.

const finishedStatuses = ["failed", "rejected", "completed", "approved", "canceled"];
const isFinished = (status: string): boolean => finishedStatuses.includes(status);

type TaskFacts = {
  id: number;
  status: string;
  planned_duration: number | null;
  assigned_at: Moment | null;
  start_at: Moment | null;
  finished_at: Moment | null;
  predecessors: readonly number[];
  /** of the team, or of the project; 24x7 when there is no calendar, or when the task says so */
  hours: ActiveTime;
};
type TaskTargets = { anticipated_assignment_at: Moment | null; completion_target_at: Moment | null };
/** a workflow or a project */
type ContainerFacts = { isOpen: boolean; start_at: Moment | null };

const noTargets: TaskTargets = { anticipated_assignment_at: null, completion_target_at: null };
const findLatest = (moments: readonly (Moment | null)[]): Moment | null =>
  moments.reduce((found, moment) => (moment !== null && (found === null || moment > found) ? moment : found), null);

/** TK14: so much work, counted from a moment on in the hours of those who do it. */
const calculateCompletionTarget = (
  { hours, planned_duration }: Pick<TaskFacts, "hours" | "planned_duration">,
  from: Moment | null,
): Moment | null => (from === null || planned_duration === null ? null : hours.addMinutes(from, planned_duration));

/** TK14 of a task that has been assigned already: nothing before it matters any more. */
function calculateTargetOfAssigned(task: Omit<TaskFacts, "id" | "predecessors" | "finished_at">): Moment | null {
  if (task.status === "registered" || isFinished(task.status) || task.assigned_at === null) return null;
  return calculateCompletionTarget(task, findLatest([task.assigned_at, task.start_at]));
}

/** The targets of all tasks. A circle among them, which nobody can link, would be cut where it is met. */
export function calculateTaskTargets(
  tasks: readonly TaskFacts[],
  container: ContainerFacts,
  now: Moment,
): ReadonlyMap<number, TaskTargets> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const found = new Map<number, TaskTargets>();
  const of = (task: TaskFacts): TaskTargets => {
    let targets = found.get(task.id);
    if (targets === undefined) {
      found.set(task.id, noTargets);
      targets = work(task);
      found.set(task.id, targets);
    }
    return targets;
  };
  const work = (task: TaskFacts): TaskTargets => {
    if (task.status !== "registered") return { ...noTargets, completion_target_at: calculateTargetOfAssigned(task) };
    if (!container.isOpen) return noTargets;
    const before = task.predecessors.flatMap((id) => byId.get(id) ?? []);
    const anticipated = findLatest([
      ...before.map((other) => other.finished_at ?? of(other).completion_target_at),
      task.start_at,
      container.start_at,
      before.length === 0 ? now : null,
    ]);
    return {
      anticipated_assignment_at: anticipated,
      completion_target_at: calculateCompletionTarget(task, anticipated),
    };
  };
  for (const task of tasks) of(task);
  return found;
}

type ContainerType = "workflow" | "project";
const activeAroundTheClock = getActiveTime(null, "Etc/UTC");

/** The tasks with the work hours that count for them: those of their team, or those of the project (PT7). */
const buildSelectTaskFacts = (kind: ContainerType) => {
  const task = kind === "workflow" ? "task" : "project_task";
  const of = kind === "workflow" ? "m" : "c";
  return statement(
    `SELECT json_build_object('isOpen', c.status <> 'completed', 'start_at', ${kind === "workflow" ? "c.start_at" : "NULL::timestamptz"},
  'tasks', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'status', t.status, 'planned_duration', t.planned_duration,
    'assigned_at', t.assigned_at, 'start_at', t.start_at, 'finished_at', t.finished_at,
    'anticipated', t.anticipated_assignment_at, 'target', t.completion_target_at,
    'predecessors', (SELECT coalesce(json_agg(p.other_${task}_id), '[]') FROM ${task}_predecessors p WHERE p.${task}_id = t.id),
    'calendar', CASE WHEN NOT t.work_hours_are_24x7 THEN ${of}.work_hours_id END, 'zone', ${of}.time_zone) ORDER BY t.id), '[]')
    FROM ${task}s t ${kind === "workflow" ? "LEFT JOIN teams m ON m.id = t.team_id" : ""} WHERE t.${kind}_id = c.id))
FROM ${kind}s c WHERE c.id = $1 AND c.account_id = $2`,
  );
};
const statements = { workflow: buildSelectTaskFacts("workflow"), project: buildSelectTaskFacts("project") };

type StoredTasks = {
  isOpen: boolean;
  start_at: string | null;
  tasks: (Record<"assigned_at" | "start_at" | "finished_at" | "anticipated" | "target", string | null> & {
    id: number;
    status: string;
    planned_duration: number | null;
    predecessors: number[];
    calendar: number | null;
    zone: string | null;
  })[];
};
const parseMomentOrNull = (text: string | null): Moment | null => (text === null ? null : parseMoment(text));

const targetFields = ["anticipated_assignment_at", "completion_target_at"] as const;
const formatTargets = (targets: TaskTargets): Values =>
  Object.fromEntries(targetFields.map((name) => [name, formatMomentOrNull(targets[name])]));
/** the targets of a task as they are stored, and as they are from now on */
export type TargetChange = { before: Values; after: Values };

/**
 * The targets of the tasks of a workflow or a project, as far as they are not stored like that: for whatever follows a
 * change of one of them. That of the whole is the latest of its tasks.
 */
export const createTargetLoader =
  (kind: ContainerType) =>
  async (
    { tx, account, by }: Pick<Change, "tx" | "account" | "by">,
    id: number,
  ): Promise<ReadonlyMap<number, TargetChange>> => {
    const [answer] = await tx.query(statements[kind], [id, account]);
    if (answer?.[0] == null) return new Map();
    const read = JSON.parse(answer[0]) as StoredTasks;
    const agreements = await loadAgreements(tx, account);
    const tasks = read.tasks.map((task) => ({
      ...task,
      assigned_at: parseMomentOrNull(task.assigned_at),
      start_at: parseMomentOrNull(task.start_at),
      finished_at: parseMomentOrNull(task.finished_at),
      hours: task.calendar === null ? activeAroundTheClock : agreements.activeTimeFor(task.calendar, task.zone),
    }));
    const container = { isOpen: read.isOpen, start_at: parseMomentOrNull(read.start_at) };
    const targets = calculateTaskTargets(tasks, container, parseMoment(toTimestamp(by.now)));
    const differing = new Map<number, TargetChange>();
    for (const task of read.tasks) {
      const old = {
        anticipated_assignment_at: parseMomentOrNull(task.anticipated),
        completion_target_at: parseMomentOrNull(task.target),
      };
      const now = targets.get(task.id) as TaskTargets;
      if (targetFields.some((name) => old[name] !== now[name]))
        differing.set(task.id, { before: formatTargets(old), after: formatTargets(now) });
    }
    return differing;
  };
