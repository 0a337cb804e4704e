import { isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import { type ActiveTime, getActiveTime } from "../../business-time/active-time.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import { mapNames } from "../shared/map-names.ts";
import { formatMomentOrNull } from "../sla/affected-sla-rows.ts";
import { type Agreements, loadAgreements } from "../sla/agreement-cache.ts";

// When the tasks of a workflow or a project should be assigned and done: TK14, TK15, PT7. Calculated for all of them
// together, because the targets of a task depend on those of its predecessors.

export type TaskFacts = {
  id: number;
  status: string;
  planned_duration: number | null;
  assigned_at: Moment | null;
  start_at: Moment | null;
  finished_at: Moment | null;
  predecessors: readonly number[];
  /** of the team or of the project; 24x7 without a calendar, and for tasks with `work_hours_are_24x7` */
  hours: ActiveTime;
};
export type TaskTargets = { anticipated_assignment_at: Moment | null; completion_target_at: Moment | null };
/** a workflow or a project */
export type ContainerFacts = { isOpen: boolean; start_at: Moment | null };

const noTargets: TaskTargets = { anticipated_assignment_at: null, completion_target_at: null };
export const findLatest = (moments: readonly (Moment | null)[]): Moment | null =>
  moments.reduce((found, moment) => (moment !== null && (found === null || moment > found) ? moment : found), null);

/** TK14: the planned duration counts work hours only. */
export const calculateCompletionTarget = (
  { hours, planned_duration }: Pick<TaskFacts, "hours" | "planned_duration">,
  from: Moment | null,
): Moment | null => (from === null || planned_duration === null ? null : hours.addMinutes(from, planned_duration));

/** TK14 for a task that has been assigned: its predecessors no longer matter. */
function calculateTargetOfAssigned(task: Omit<TaskFacts, "id" | "predecessors" | "finished_at">): Moment | null {
  if (task.status === "registered" || isFinished(task.status) || task.assigned_at === null) return null;
  return calculateCompletionTarget(task, findLatest([task.assigned_at, task.start_at]));
}

/** The targets of all tasks. Predecessors cannot form a cycle; if they did, it would be cut where it is first met. */
export function calculateTaskTargets(
  tasks: readonly TaskFacts[],
  container: ContainerFacts,
  now: Moment,
): ReadonlyMap<number, TaskTargets> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const calculated = new Map<number, TaskTargets>();
  const getTargets = (task: TaskFacts): TaskTargets => {
    let targets = calculated.get(task.id);
    if (targets === undefined) {
      calculated.set(task.id, noTargets);
      targets = calculateTargets(task);
      calculated.set(task.id, targets);
    }
    return targets;
  };
  const calculateTargets = (task: TaskFacts): TaskTargets => {
    if (task.status !== "registered") return { ...noTargets, completion_target_at: calculateTargetOfAssigned(task) };
    if (!container.isOpen) return noTargets;
    const predecessors = task.predecessors.flatMap((id) => byId.get(id) ?? []);
    const anticipated = findLatest([
      ...predecessors.map((other) => other.finished_at ?? getTargets(other).completion_target_at),
      task.start_at,
      container.start_at,
      predecessors.length === 0 ? now : null,
    ]);
    return {
      anticipated_assignment_at: anticipated,
      completion_target_at: calculateCompletionTarget(task, anticipated),
    };
  };
  for (const task of tasks) getTargets(task);
  return calculated;
}

export type ContainerType = "workflow" | "project";
const activeAroundTheClock = getActiveTime(null, "Etc/UTC");

/** The tasks with their work hours: those of the team, or those of the project (PT7). */
const buildSelectTaskFacts = (container: ContainerType) => {
  const task = container === "workflow" ? "task" : "project_task";
  const hoursFrom = container === "workflow" ? "m" : "c";
  return statement(
    `SELECT json_build_object('isOpen', c.status <> 'completed', 'start_at', ${container === "workflow" ? "c.start_at" : "NULL::timestamptz"},
  'tasks', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'status', t.status, 'planned_duration', t.planned_duration,
    'assigned_at', t.assigned_at, 'start_at', t.start_at, 'finished_at', t.finished_at,
    'anticipated', t.anticipated_assignment_at, 'target', t.completion_target_at,
    'predecessors', (SELECT coalesce(json_agg(p.other_${task}_id), '[]') FROM ${task}_predecessors p WHERE p.${task}_id = t.id AND p.account_id = t.account_id),
    'calendar', CASE WHEN NOT t.work_hours_are_24x7 THEN ${hoursFrom}.work_hours_id END, 'zone', ${hoursFrom}.time_zone) ORDER BY t.id), '[]')
    FROM ${task}s t ${container === "workflow" ? "LEFT JOIN teams m ON m.id = t.team_id" : ""} WHERE t.${container}_id = c.id AND t.account_id = c.account_id))
FROM ${container}s c WHERE c.id = $1 AND c.account_id = $2`,
  );
};
const selectTaskFacts = { workflow: buildSelectTaskFacts("workflow"), project: buildSelectTaskFacts("project") };

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
type StoredTargets = Record<(typeof targetFields)[number], string | null>;
const formatTargets = (targets: TaskTargets): StoredTargets =>
  mapNames(targetFields, (name) => formatMomentOrNull(targets[name]));
/** the stored targets of a task, and the calculated ones */
export type TargetChange = { before: StoredTargets; after: StoredTargets };

/** The tasks of a container as the calculation takes them, and as they are stored. */
export type LoadedTasks = { stored: StoredTasks; tasks: TaskFacts[]; container: ContainerFacts };

/** Null: there is no such container. */
export async function loadTaskFacts(
  source: Pick<Transaction, "query">,
  agreements: Agreements,
  container: ContainerType,
  id: number,
  account: string,
): Promise<LoadedTasks | null> {
  const [row] = await source.query(selectTaskFacts[container], [id, account]);
  if (row?.[0] == null) return null;
  const stored: StoredTasks = JSON.parse(row[0]);
  const tasks = stored.tasks.map((task) => ({
    ...task,
    assigned_at: parseMomentOrNull(task.assigned_at),
    start_at: parseMomentOrNull(task.start_at),
    finished_at: parseMomentOrNull(task.finished_at),
    hours: task.calendar === null ? activeAroundTheClock : agreements.activeTimeFor(task.calendar, task.zone),
  }));
  return { stored, tasks, container: { isOpen: stored.isOpen, start_at: parseMomentOrNull(stored.start_at) } };
}

/** Returns a function that loads the tasks of a container and calculates the targets that differ from the stored ones. */
export const createTargetLoader =
  (container: ContainerType) =>
  async (
    { tx, account, by }: Pick<Change, "tx" | "account" | "by">,
    id: number,
  ): Promise<ReadonlyMap<number, TargetChange>> => {
    const loaded = await loadTaskFacts(tx, await loadAgreements(tx, account), container, id, account);
    if (loaded === null) return new Map();
    const targets = calculateTaskTargets(loaded.tasks, loaded.container, parseMoment(toTimestamp(by.now)));
    const changes = new Map<number, TargetChange>();
    for (const task of loaded.stored.tasks) {
      const before = {
        anticipated_assignment_at: parseMomentOrNull(task.anticipated),
        completion_target_at: parseMomentOrNull(task.target),
      };
      const after = targets.get(task.id) ?? noTargets;
      if (targetFields.some((name) => before[name] !== after[name]))
        changes.set(task.id, { before: formatTargets(before), after: formatTargets(after) });
    }
    return changes;
  };
