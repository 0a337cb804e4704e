import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { graphPhase, graphTaskFacts } from "../../../records/answers/planning.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import { BadRequest } from "../../base/errors.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { jsonStatement, parseJson, queryRows } from "../../database/rows.ts";
import { buildReadClause } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { value } from "../../engine/sql/query.ts";
import { getAgreementCache } from "../../rules/sla/agreement-cache.ts";
import {
  type ContainerType,
  calculateTaskTargets,
  findLatest,
  loadTaskFacts,
  type TaskFacts,
} from "../../rules/task-graph/task-targets.ts";
import { buildDelegatorsSql } from "../../rules/time/out-of-office-period.ts";
import { listMaintenanceWindows, loadWindowHours, type MaintenanceWindow } from "./maintenance-windows.ts";
import { buildPlan, listEdges, type Plan, type PlanEdge } from "./plan.ts";

// The graph of a workflow or a project with the dates of its tasks, as they are or as they would be if one task were
// moved. Nothing is stored: to accept the preview, the client saves the task with the values that `move` names.

/** The facts of a task that a person reads on its node. */
export type GraphTask = AnswerOf<typeof graphTaskFacts>;
type GraphPhase = AnswerOf<typeof graphPhase>;

export type MoveRequest = { task: number; start_at: Moment | null; end_at: Moment | null };
/** The values to save. */
export type PlannedMove = { task: number; start_at: Moment; planned_duration: number | null };

export type TaskGraph = {
  tasks: readonly GraphTask[];
  edges: readonly PlanEdge[];
  phases: readonly GraphPhase[];
  plan: Plan;
  /** of the service instances that its tasks have an impact on */
  windows: readonly MaintenanceWindow[];
  move: PlannedMove | null;
};

const selectPhases = {
  workflow: jsonStatement<GraphPhase>(
    "SELECT id, name, status, position FROM workflow_phases WHERE workflow_id = $1 AND account_id = $2 ORDER BY position, id",
  ),
  project: jsonStatement<GraphPhase>(
    "SELECT id, name, status, position FROM project_phases WHERE project_id = $1 AND account_id = $2 ORDER BY position, id",
  ),
};

type Query = { engine: Engine; by: Caller; container: ContainerType; id: number; account: string };

/** The readable tasks. A caller who may not read a task does not learn that it is there. */
async function loadReadableTasks({ engine, by, container, id, account }: Query): Promise<GraphTask[]> {
  const isWorkflow = container === "workflow";
  const type = engine.types.get(isWorkflow ? "task" : "project_task");
  const [votes, voter] = isWorkflow ? ["task_approvals", "approver"] : ["project_task_assignments", "assignee"];
  const assignees = isWorkflow
    ? "SELECT p.id, p.name FROM people p WHERE p.id = a.member_id"
    : "SELECT p.id, p.name FROM project_task_assignments s JOIN people p ON p.id = s.assignee_id WHERE s.project_task_id = a.id AND s.account_id = a.account_id ORDER BY s.id";
  const query = engine.statements.prepare(
    `${type.name}#graph`,
    {
      id: value(id),
      account: value(account),
      me: value(by.person),
      now: value(toTimestamp(by.now)),
      readable: buildReadClause(type, by, engine.rules),
    },
    (
      sql,
    ) => `SELECT coalesce(json_agg(json_build_object('id', a.id, 'subject', a.subject, 'category', a.category, 'status', a.status,
  'impact', ${isWorkflow ? "a.impact" : "NULL"}, 'team', (SELECT json_build_object('id', t.id, 'name', t.name) FROM teams t WHERE t.id = a.team_id),
  'assignees', (SELECT coalesce(json_agg(json_build_object('id', x.id, 'name', x.name)), '[]') FROM (${assignees}) x),
  'phase', a.phase_id, 'failure_task', ${isWorkflow ? "a.failure_task_id" : "NULL"}, 'planned_duration', a.planned_duration,
  'planned_effort', a.planned_effort, 'start_at', a.start_at, 'approvals', CASE WHEN a.category = 'approval' THEN (SELECT json_build_object(
    'given', count(DISTINCT v.${voter}_id) FILTER (WHERE v.status = 'approved'), 'needed', greatest(1, least(coalesce(a.required_approvals, 1), count(DISTINCT v.${voter}_id))))
    FROM ${votes} v WHERE v.${type.name}_id = a.id AND v.account_id = a.account_id) END,
  'approval_asked', a.category = 'approval' AND a.status = 'assigned' AND EXISTS (SELECT 1 FROM ${votes} v WHERE v.${type.name}_id = a.id AND v.account_id = a.account_id AND v.status = 'assigned'
    AND (v.${voter}_id = ${sql.me} OR v.${voter}_id IN (${buildDelegatorsSql(sql.me, sql.now)})))) ORDER BY a.id), '[]')
FROM ${type.table} a WHERE a.${container}_id = ${sql.id} AND a.account_id = ${sql.account} AND ${sql.readable}`,
  );
  const [row] = await engine.database.read(query.statement, query.values);
  return parseJson(row?.[0]);
}

export async function loadTaskGraph(query: Query, wanted: MoveRequest | null): Promise<TaskGraph> {
  const { engine, by, container, id, account } = query;
  const source = { query: engine.database.read.bind(engine.database) };
  const agreements = await getAgreementCache(engine.database).get(account);
  const [tasks, loaded, phases, windowHours] = await Promise.all([
    loadReadableTasks(query),
    loadTaskFacts(source, agreements, container, id, account),
    queryRows(source, selectPhases[container], [id, account]),
    container === "workflow" ? loadWindowHours(source, id, account) : [],
  ]);
  const readable = new Map(tasks.map((task) => [task.id, task]));
  const isReadable = ({ id: task }: { id: number }) => readable.has(task);
  const known = (loaded?.tasks ?? []).map((facts) => ({
    ...facts,
    failure_task: readable.get(facts.id)?.failure_task ?? null,
  }));
  const moved = wanted === null ? null : moveTask(known.filter(isReadable), wanted, container);
  const all = known.map((facts) => (facts.id === moved?.facts.id ? { ...facts, ...moved.facts } : facts));
  const facts = loaded?.container ?? { isOpen: false, start_at: null };
  // Dates follow from all tasks, but only tasks that the caller may read are returned.
  const now = parseMoment(toTimestamp(by.now));
  const targets = calculateTaskTargets(all, facts, now);
  const shown = all.filter(isReadable).map((task) => ({
    ...task,
    predecessors: task.predecessors.filter((before) => readable.has(before)),
    failure_task: task.failure_task !== null && readable.has(task.failure_task) ? task.failure_task : null,
  }));
  const plan = buildPlan(shown, targets);
  return {
    tasks: tasks.map((task) => ({
      ...task,
      failure_task: task.failure_task !== null && readable.has(task.failure_task) ? task.failure_task : null,
    })),
    edges: listEdges(shown),
    phases,
    plan,
    windows: listMaintenanceWindows(windowHours, agreements, plan, now),
    move: moved?.move ?? null,
  };
}

/** The task as it would be, and the values to save. An end is given as minutes of the hours in which the task is worked on. */
function moveTask<F extends TaskFacts>(tasks: readonly F[], wanted: MoveRequest, container: ContainerType) {
  const task = tasks.find(({ id }) => id === wanted.task);
  if (task === undefined) throw new BadRequest(`Parameter 'move' is not a task of this ${container}`);
  if (isFinished(task.status)) throw new BadRequest("Parameter 'move' is a task that is finished");
  const start = wanted.start_at ?? task.start_at ?? task.assigned_at;
  if (start === null) throw new BadRequest("Parameter 'start_at' can't be blank");
  const from = findLatest([start, task.assigned_at]) ?? start;
  if (wanted.end_at !== null && wanted.end_at <= from)
    throw new BadRequest("Parameter 'end_at' must be after the start");
  const minutes = wanted.end_at === null ? null : Math.max(1, task.hours.minutesBetween(from, wanted.end_at));
  const facts = { ...task, start_at: start, planned_duration: minutes ?? task.planned_duration };
  return { facts, move: { task: task.id, start_at: start, planned_duration: minutes } satisfies PlannedMove };
}
