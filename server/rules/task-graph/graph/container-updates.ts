import type { InputOf } from "../../../../records/vocabulary/index.ts";
import type { project } from "../../../../records/work/project.ts";
import type { projectPhase } from "../../../../records/work/project-phase.ts";
import type { workflow } from "../../../../records/work/workflow.ts";
import type { workflowPhase } from "../../../../records/work/workflow-phase.ts";
import { toTimestamp } from "../../../base/clock.ts";
import { parseBoolean } from "../../../database/rows.ts";
import type { Change } from "../../../engine/rules.ts";
import {
  calculateContainerStatus,
  calculatePhaseStatus,
  findUnusedFailureTasks,
  isStartingPhase,
  type TaskNode,
} from "../container-status.ts";
import type { ContainerKind, TaskGraphStatements } from "../task-graph-sql.ts";
import type { TargetChange } from "../task-targets.ts";
import type { StatusChange, TaskStatuses } from "./task-statuses.ts";

// The outermost change of a container opens an update: the update collects the status changes that follow from each other,
// and recalculates phases and container once, after the last of them.

export type GraphUpdate = { containerKey: string; statusChanges: StatusChange[] };

const runningUpdates = new WeakMap<Change, GraphUpdate[]>();

function findRunningUpdate(change: Change, containerKey: string): GraphUpdate | undefined {
  for (let each: Change | null = change; each !== null; each = each.cause) {
    const found = runningUpdates.get(each)?.find((update) => update.containerKey === containerKey);
    if (found !== undefined) return found;
  }
  return undefined;
}

export type ContainerCalculation = {
  /** the values of the container, beside its status, that follow from its tasks */
  calculateValues(
    change: Change,
    id: number,
    isCompleted: boolean,
  ): Promise<InputOf<typeof workflow> | InputOf<typeof project>>;
  /** Targets that differ from the stored ones. They move with every other task, so they make no audit lines or events. */
  loadTargetChanges(change: Change, id: number): Promise<ReadonlyMap<number, TargetChange>>;
};

type Parts = {
  kind: ContainerKind;
  sql: TaskGraphStatements;
  statuses: TaskStatuses;
  calculation: ContainerCalculation;
};

export function createContainerUpdates({ kind, sql, statuses, calculation }: Parts) {
  const { containerType, taskType, phaseType } = kind;
  const buildKey = (id: number): string => `${containerType} ${id}`;
  const isUpdating = (change: Change, id: number): boolean => findRunningUpdate(change, buildKey(id)) !== undefined;

  async function updatePhases(change: Change, id: number, tasks: readonly TaskNode[]): Promise<void> {
    const now = toTimestamp(change.by.now);
    for (const [phaseId, oldStatus, startedAt] of await change.tx.query(sql.selectPhases, [id, change.account])) {
      const tasksOfPhase = tasks.filter((each) => each.phase === Number(phaseId));
      const status = calculatePhaseStatus(tasksOfPhase, startedAt !== null);
      const values: InputOf<typeof workflowPhase | typeof projectPhase> = { status };
      if (status !== oldStatus) values.completed_at = status === "completed" ? now : null;
      if (startedAt === null && tasksOfPhase.some(isStartingPhase)) values.started_at = now;
      if (status !== oldStatus || "started_at" in values) await change.update(phaseType, Number(phaseId), values);
    }
  }

  async function updateContainer(change: Change, update: GraphUpdate, id: number, startsTasks: boolean): Promise<void> {
    const { tx, by, account } = change;
    const [row] = await tx.query(sql.selectContainer, [id, account]);
    if (row === undefined || row[0] === "being_created") return;
    const [oldStatus, isClosedByHand] = [row[0], parseBoolean(row[1])];
    const isOpen = oldStatus !== "completed";
    if (startsTasks && isOpen)
      await statuses.assignTasks(change, await statuses.loadTaskIdsByTime(change, sql.selectFirstTasks, id));
    const isReopened = await statuses.processStatusChanges(change, update.statusChanges, isOpen);
    const staysClosed = isClosedByHand && !isOpen && !isReopened; // WS2
    let tasks = await statuses.loadTaskNodes(change, id);
    const isStarting = oldStatus === "registered" && tasks.some((each) => each.status !== "registered");
    if (isStarting && taskType === "project_task") {
      await statuses.setStatusOf(
        change,
        await statuses.loadTaskIdsByTime(change, sql.selectFirstMilestones, id),
        "assigned",
      );
      await statuses.processStatusChanges(change, update.statusChanges, isOpen);
      tasks = await statuses.loadTaskNodes(change, id);
    }
    const status = staysClosed ? "completed" : calculateContainerStatus(tasks, by.now.getTime());
    const isCompleted = status === "completed";
    if (isCompleted && !staysClosed) {
      await statuses.setStatusOf(change, findUnusedFailureTasks(tasks), "canceled");
      tasks = await statuses.loadTaskNodes(change, id);
    }
    update.statusChanges.length = 0;
    for (const [taskId, { before, after }] of await calculation.loadTargetChanges(change, id)) {
      tx.send(sql.updateTargets, [taskId, account, after.completion_target_at, after.anticipated_assignment_at]);
      change.addDerivedUpdate(taskType, taskId, before, after);
    }
    await updatePhases(change, id, tasks);
    await change.update(containerType, id, {
      ...(staysClosed ? {} : { status, closed_by_hand: false }),
      ...(isCompleted && !staysClosed && isOpen ? { completion_reason: "complete" } : {}),
      ...(await calculation.calculateValues(change, id, isCompleted)),
    });
  }

  /** Does the work within the running update of the container; without one it opens an update, and ends it afterwards. */
  async function collectAndUpdate(
    change: Change,
    id: number,
    work: (update: GraphUpdate) => void | Promise<void>,
    options: { startsTasks?: boolean; always?: boolean } = {},
  ): Promise<void> {
    const running = findRunningUpdate(change, buildKey(id));
    if (running !== undefined) return work(running);
    const update: GraphUpdate = { containerKey: buildKey(id), statusChanges: [] };
    runningUpdates.set(change, [...(runningUpdates.get(change) ?? []), update]);
    await work(update);
    if (update.statusChanges.length > 0 || options.always === true)
      await updateContainer(change, update, id, options.startsTasks === true);
    runningUpdates.set(
      change,
      (runningUpdates.get(change) ?? []).filter((other) => other !== update),
    );
  }

  return { isUpdating, collectAndUpdate };
}
