import type { projectTask } from "../../../../records/work/project-task.ts";
import type { task } from "../../../../records/work/task.ts";
import { toTimestamp } from "../../../base/clock.ts";
import type { Transaction } from "../../../database/database.ts";
import type { Change, Values } from "../../../engine/rules.ts";
import { getNumberOrNull } from "../../shared/get-number.ts";
import { type ContainerStatus, calculateContainerStatus, type TaskNode } from "../container-status.ts";
import {
  buildLockContainerOfTaskChild,
  buildTaskGraphStatements,
  type ContainerKind,
  type TaskGraphStatements,
} from "../task-graph-sql.ts";
import { type ContainerCalculation, createContainerUpdates, type GraphUpdate } from "./container-updates.ts";
import { createTaskStatuses, type TaskStatuses } from "./task-statuses.ts";

// How a change of one task affects the other tasks, the phases and the container, which is a workflow or a project. C7,
// PS1 to PS14, WS1 to WS6, WF1 to WF15, PH1 to PH3, PT1 to PT10, PJ1. Every transaction locks the container before its tasks,
// so none calculates with tasks that another one is about to change.

type TaskChange = Change<typeof task | typeof projectTask>;
type Work = () => void | Promise<void>;
type LockTarget = { account: string } & ({ id: number } | { values: Values });

/** the fields of a task, beside its status, that values of its container depend on */
const fieldsAffectingContainer = [
  "impact",
  "planned_effort",
  "planned_duration",
  "start_at",
  "assigned_at",
  "completion_target_at",
  "phase",
  "team",
  "failure_task",
  "work_hours_are_24x7",
];
const affectsContainer = ({ before, after }: Change): boolean =>
  before === null || fieldsAffectingContainer.some((name) => before[name] !== after[name]);

export function createTaskGraph(kind: ContainerKind, calculation: ContainerCalculation) {
  const sql = buildTaskGraphStatements(kind);
  const statuses = createTaskStatuses(kind, sql);
  const updates = createContainerUpdates({ kind, sql, statuses, calculation });
  return {
    ...createLocks(kind, sql),
    ...createChangeHooks(sql, statuses, updates),
    ...createTaskOperations(sql, statuses),
  };
}

const createLocks = (kind: ContainerKind, sql: TaskGraphStatements) => ({
  async lockFirstForTask(tx: Transaction, target: LockTarget): Promise<void> {
    if ("id" in target) return void (await tx.query(sql.lockContainerOfTask, [target.id, target.account]));
    const container = getNumberOrNull(target.values, kind.containerType);
    if (container !== null) await tx.query(sql.lockContainer, [container, target.account]);
  },
  /** For types that are children of the task. */
  lockFirstForTaskChild(table: string) {
    const lockContainerOfTaskChild = buildLockContainerOfTaskChild(kind, table);
    return async (tx: Transaction, target: LockTarget): Promise<void> => {
      if ("id" in target) return void (await tx.query(lockContainerOfTaskChild, [target.id, target.account]));
      const taskId = getNumberOrNull(target.values, kind.taskType);
      if (taskId !== null) await tx.query(sql.lockContainerOfTask, [taskId, target.account]);
    };
  },
});

/** The effects of a change to a task, to its predecessors or to the container itself. */
const createChangeHooks = (
  sql: TaskGraphStatements,
  statuses: TaskStatuses,
  updates: ReturnType<typeof createContainerUpdates>,
) => ({
  /** `work`: what else follows from the saved task, for its approvals and its request. */
  async afterSaveTask(change: TaskChange, container: number, work: Work): Promise<void> {
    const { id, before, after } = change;
    const [from, to] = [before === null ? null : before.status, after.status];
    const collect = async (update: GraphUpdate) => {
      if (from !== to) update.statusChanges.push({ id, from, to });
      await work();
    };
    await updates.collectAndUpdate(change, container, collect, { always: affectsContainer(change) });
  },
  /** For changes outside of the tasks: links of the container, time spent on its tasks. */
  async refresh(change: Change, id: number): Promise<void> {
    if (updates.isUpdating(change, id)) return;
    await change.tx.query(sql.lockContainer, [id, change.account]);
    await updates.collectAndUpdate(change, id, () => {}, { always: true });
  },
  /** For changes of predecessors. */
  async afterReorder(change: Change, id: number): Promise<void> {
    const assignReady = async () => {
      if ((await change.tx.query(sql.selectContainer, [id, change.account]))[0]?.[0] !== "completed")
        await statuses.assignTasks(change, await statuses.loadTaskIdsByTime(change, sql.selectReadyAfterOthers, id));
    };
    await updates.collectAndUpdate(change, id, assignReady, { always: true });
  },
  /** WF3: does the work, then assigns the first tasks. */
  start: (change: Change, id: number, work: Work = () => {}) =>
    updates.collectAndUpdate(change, id, work, { startsTasks: true, always: true }),
  /** For changes of the container itself. */
  updateAround: (change: Change, id: number, work: Work = () => {}) =>
    updates.collectAndUpdate(change, id, work, { always: true }),
});

const createTaskOperations = (sql: TaskGraphStatements, statuses: TaskStatuses) => ({
  /** T15 */
  async cancelOpenTasks(change: Change, id: number): Promise<void> {
    await statuses.setStatusOf(change, await statuses.loadTaskIds(change, sql.selectOpenTasks, id), "canceled");
  },
  /** T3: whether a registered task waits for nothing but its start. */
  mayTaskStart: async (change: Change): Promise<boolean> =>
    (await change.tx.query(sql.selectIfMayStart, [change.id, change.account, toTimestamp(change.by.now)])).length > 0,
  /** PT5: whether all predecessors of a milestone are done. */
  isMilestoneReached: async (change: Change): Promise<boolean> =>
    (await statuses.loadTaskIdsByTime(change, sql.selectIfReadyAfterOthers, change.id)).length > 0,
  /** T2, T3: assigns a task whose start was removed or moved to the past. */
  async assignAfterStartChange(change: TaskChange, mayStart: () => Promise<boolean>): Promise<void> {
    const { id, before, after } = change;
    if (before?.status !== "registered" || after.status !== "registered") return;
    if (before.start_at === null || before.start_at === after.start_at || !(await mayStart())) return;
    const ready = await statuses.loadTaskIdsByTime(change, sql.selectIfReadyAfterOthers, id);
    if (ready.length > 0) await statuses.assignTasks(change, ready);
    else await statuses.setStatusOf(change, [id], "assigned");
  },
  /** The status that follows from the tasks, regardless of the stored one. */
  async loadStatus(change: Change, id: number): Promise<{ status: ContainerStatus; tasks: readonly TaskNode[] }> {
    const tasks = await statuses.loadTaskNodes(change, id);
    return { status: calculateContainerStatus(tasks, change.by.now.getTime()), tasks };
  },
});
