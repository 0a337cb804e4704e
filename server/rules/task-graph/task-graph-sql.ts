import { failedStates, finishedStates, successfulStates } from "../../../records/work/task-states.ts";
import { statement } from "../../database/database.ts";

// The statements of task-graph.ts, for the tasks of workflows and for those of projects. $1 is the id of the task or of
// its container, $2 its account, $3 the current time.

/** A container is what consists of tasks: a workflow or a project. */
export type ContainerKind =
  | { containerType: "workflow"; taskType: "task"; phaseType: "workflow_phase" }
  | { containerType: "project"; taskType: "project_task"; phaseType: "project_phase" };

const buildList = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(", ")})`;
const doneList = buildList(successfulStates);
const failedList = buildList(failedStates);
const finishedList = buildList(finishedStates);

// In these conditions t is the task and e one of its predecessors.
function buildConditions(taskType: string) {
  const failureTaskId = taskType === "task" ? "t.failure_task_id" : "NULL::integer";
  // PS2: a task may come after its own failure task, and does not wait for it as long as the task has not failed.
  const isAwaited = `(e.id IS DISTINCT FROM ${failureTaskId} OR e.status <> 'registered')`;
  const buildAwaits = (further: string) =>
    `EXISTS (SELECT 1 FROM ${taskType}_predecessors p JOIN ${taskType}s e ON e.id = p.other_${taskType}_id AND e.account_id = $2 WHERE p.${taskType}_id = t.id AND p.account_id = $2 AND ${isAwaited}${further})`;
  const awaitsOpenTask = buildAwaits(` AND e.status NOT IN ${doneList}`);
  return {
    failureTaskId,
    awaitsAnyTask: buildAwaits(""),
    isReady: `t.status = 'registered' AND (t.start_at IS NULL OR t.start_at <= $3) AND NOT ${awaitsOpenTask}`,
    isFailureTask:
      taskType === "task"
        ? "EXISTS (SELECT 1 FROM tasks f WHERE f.failure_task_id = t.id AND f.account_id = $2)"
        : "false",
    isSuccessor: `t.id IN (SELECT ${taskType}_id FROM ${taskType}_predecessors WHERE other_${taskType}_id = $1 AND account_id = $2) AND t.account_id = $2`,
  };
}

export type TaskGraphStatements = ReturnType<typeof buildTaskGraphStatements>;

export function buildTaskGraphStatements({ containerType, taskType, phaseType }: ContainerKind) {
  const { failureTaskId, awaitsAnyTask, isReady, isFailureTask, isSuccessor } = buildConditions(taskType);
  const [tasks, containers] = [`${taskType}s`, `${containerType}s`];
  const isFirst = `t.${containerType}_id = $1 AND t.account_id = $2 AND ${isReady} AND NOT ${awaitsAnyTask} AND NOT ${isFailureTask}`;
  return {
    lockContainer: statement(`SELECT 1 FROM ${containers} WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`),
    lockContainerOfTask: statement(
      `SELECT 1 FROM ${containers} WHERE id = (SELECT ${containerType}_id FROM ${tasks} WHERE id = $1 AND account_id = $2) AND account_id = $2 FOR NO KEY UPDATE`,
    ),
    selectContainer: statement(`SELECT status, closed_by_hand FROM ${containers} WHERE id = $1 AND account_id = $2`),
    selectReadySuccessors: statement(`SELECT t.id FROM ${tasks} t WHERE ${isSuccessor} AND ${isReady} ORDER BY t.id`),
    /** the failed tasks whose failure task this one is, and that come after it */
    selectTasksToRework: statement(
      `SELECT t.id FROM ${tasks} t WHERE ${isSuccessor} AND t.status IN ${failedList} AND ${failureTaskId} = $1`,
    ),
    selectIfReadyAfterOthers: statement(
      `SELECT t.id FROM ${tasks} t WHERE t.id = $1 AND t.account_id = $2 AND ${isReady} AND ${awaitsAnyTask}`,
    ),
    selectReadyAfterOthers: statement(
      `SELECT t.id FROM ${tasks} t WHERE t.${containerType}_id = $1 AND t.account_id = $2 AND ${isReady} AND ${awaitsAnyTask} ORDER BY t.id`,
    ),
    selectFailureTask: statement(
      `SELECT f.id FROM ${tasks} t JOIN ${tasks} f ON f.id = ${failureTaskId} AND f.account_id = $2 WHERE t.id = $1 AND t.account_id = $2 AND f.status IN ${buildList(["registered", ...finishedStates])}`,
    ),
    selectFirstTasks: statement(`SELECT t.id FROM ${tasks} t WHERE ${isFirst} ORDER BY t.id`),
    selectFirstMilestones: statement(
      `SELECT t.id FROM ${tasks} t WHERE ${isFirst} AND t.category = 'milestone' ORDER BY t.id`,
    ),
    // A task that was set back to registered after its start is not started by that start again.
    selectIfMayStart: statement(
      `SELECT 1 FROM ${tasks} t WHERE t.id = $1 AND t.account_id = $2 AND ${isReady} AND (t.assigned_at IS NULL OR t.assigned_at < t.start_at)
  AND NOT (${isFailureTask} AND NOT ${awaitsAnyTask})`,
    ),
    selectCategory: statement(`SELECT category FROM ${tasks} WHERE id = $1 AND account_id = $2`),
    selectTaskNodes: statement(
      `SELECT t.id, t.status, t.assigned_at IS NOT NULL, extract(epoch FROM t.start_at) * 1000, t.phase_id, ${failureTaskId},
  (SELECT json_agg(p.other_${taskType}_id) FROM ${taskType}_predecessors p WHERE p.${taskType}_id = t.id AND p.account_id = $2)
FROM ${tasks} t WHERE t.${containerType}_id = $1 AND t.account_id = $2 ORDER BY t.id`,
    ),
    selectPhases: statement(
      `SELECT id, status, started_at FROM ${phaseType}s WHERE ${containerType}_id = $1 AND account_id = $2 ORDER BY position, id`,
    ),
    updateTargets: statement(
      `UPDATE ${tasks} SET completion_target_at = $3, anticipated_assignment_at = $4, revision = revision + 1 WHERE id = $1 AND account_id = $2`,
    ),
    selectOpenTasks: statement(
      `SELECT id FROM ${tasks} WHERE ${containerType}_id = $1 AND account_id = $2 AND status NOT IN ${finishedList} ORDER BY id`,
    ),
  };
}

/** Locks the container of the task that a record of another table belongs to. */
export const buildLockContainerOfTaskChild = ({ containerType, taskType }: ContainerKind, table: string) =>
  statement(
    `SELECT 1 FROM ${containerType}s WHERE id = (SELECT t.${containerType}_id FROM ${taskType}s t JOIN ${table} b ON b.${taskType}_id = t.id AND b.account_id = $2 WHERE b.id = $1 AND t.account_id = $2) AND account_id = $2 FOR NO KEY UPDATE`,
  );
