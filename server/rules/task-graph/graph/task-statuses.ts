import { isActive, isDone, isFailed } from "../../../../records/work/task-states.ts";
import { toTimestamp } from "../../../base/clock.ts";
import type { Statement } from "../../../database/database.ts";
import { parseBoolean, parseIds, parseNumberOrNull } from "../../../database/rows.ts";
import type { Change } from "../../../engine/rules.ts";
import type { TaskNode } from "../container-status.ts";
import type { ContainerKind, TaskGraphStatements } from "../task-graph-sql.ts";

// The tasks of a container: which are ready, and what the status of one does to the others.

export type StatusChange = { id: number; from: string | null; to: string | null };

export type TaskStatuses = ReturnType<typeof createTaskStatuses>;

export function createTaskStatuses({ taskType }: ContainerKind, sql: TaskGraphStatements) {
  const loadTaskIdsByTime = async (change: Change, select: Statement, id: number): Promise<number[]> =>
    (await change.tx.query(select, [id, change.account, toTimestamp(change.by.now)])).map((row) => Number(row[0]));
  const loadTaskIds = async (change: Change, select: Statement, id: number): Promise<number[]> =>
    (await change.tx.query(select, [id, change.account])).map((row) => Number(row[0]));

  const loadTaskNodes = async ({ tx, account }: Change, id: number): Promise<TaskNode[]> =>
    (await tx.query(sql.selectTaskNodes, [id, account])).map(
      ([taskId, status, wasAssigned, startAt, phase, failureTask, predecessors]) => ({
        id: Number(taskId),
        status: String(status),
        wasAssigned: parseBoolean(wasAssigned),
        startAt: parseNumberOrNull(startAt),
        phase: parseNumberOrNull(phase),
        failureTask: parseNumberOrNull(failureTask),
        predecessors: parseIds(predecessors),
      }),
    );

  /** PT5: a milestone is completed immediately, because it has no work. */
  async function assignTasks(change: Change, ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const [row] = taskType === "project_task" ? await change.tx.query(sql.selectCategory, [id, change.account]) : [];
      await change.update(taskType, id, { status: row?.[0] === "milestone" ? "completed" : "assigned" });
    }
  }

  async function setStatusOf(change: Change, ids: Iterable<number>, status: "assigned" | "canceled"): Promise<void> {
    for (const id of ids) await change.update(taskType, id, { status });
  }

  /** PS4, PS5, PS9, PS11, PS14. Returns whether a task was reopened or started, which reopens its container. */
  async function processStatusChanges(
    change: Change,
    statusChanges: StatusChange[],
    isOpen: boolean,
  ): Promise<boolean> {
    let isReopened = false;
    for (let next = statusChanges.shift(); next !== undefined; next = statusChanges.shift()) {
      const { id, from, to } = next;
      const isFinished = isDone(to) || isFailed(to);
      if (isActive(to) || ((isDone(from) || isFailed(from)) && !isFinished)) isReopened = true;
      if (!isOpen && !isReopened) continue;
      if (isDone(to) && !isDone(from)) {
        await assignTasks(change, await loadTaskIdsByTime(change, sql.selectReadySuccessors, id));
        await setStatusOf(change, await loadTaskIds(change, sql.selectTasksToRework, id), "assigned");
      } else if (isFailed(to) && !isFailed(from))
        await setStatusOf(change, await loadTaskIds(change, sql.selectFailureTask, id), "assigned");
      else if (from === null && to === "registered")
        await assignTasks(change, await loadTaskIdsByTime(change, sql.selectIfReadyAfterOthers, id));
    }
    return isReopened;
  }

  return { loadTaskIds, loadTaskIdsByTime, loadTaskNodes, assignTasks, setStatusOf, processStatusChanges };
}
