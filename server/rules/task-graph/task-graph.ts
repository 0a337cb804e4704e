import type { InputOf } from "../../../records/vocabulary/index.ts";
import type { project } from "../../../records/work/project.ts";
import type { projectPhase } from "../../../records/work/project-phase.ts";
import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import { isActive, isDone, isFailed } from "../../../records/work/task-states.ts";
import type { workflow } from "../../../records/work/workflow.ts";
import type { workflowPhase } from "../../../records/work/workflow-phase.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change, Values } from "../../engine/rules.ts";
import type { Statement, Transaction } from "../../storage/database.ts";
import { parseBoolean, parseIds, parseNumberOrNull } from "../../storage/rows.ts";
import { getNumberOrNull } from "../shared/get-number.ts";
import {
  type ContainerStatus,
  calculateContainerStatus,
  calculatePhaseStatus,
  findUnusedFailureTasks,
  isStartingPhase,
  type TaskNode,
} from "./container-status.ts";
import { buildLockContainerOfTaskChild, buildTaskGraphStatements, type ContainerKind } from "./task-graph-sql.ts";
import type { TargetChange } from "./task-targets.ts";

// How a change of one task affects the other tasks, the phases and the container, which is a workflow or a project. C7,
// PS1 to PS14, WS1 to WS6, WF1 to WF15, PH1 to PH3, PT1 to PT10, PJ1. The outermost change of a container opens an
// update: the update collects the status changes that follow from each other, and recalculates phases and container
// once, after the last of them. Every transaction locks the container before its tasks, so none calculates with tasks
// that another one is about to change.

type TaskChange = Change<typeof task | typeof projectTask>;
type StatusChange = { id: number; from: string | null; to: string | null };
type GraphUpdate = { containerKey: string; statusChanges: StatusChange[] };
type Work = () => void | Promise<void>;
type LockTarget = { account: string } & ({ id: number } | { values: Values });

const runningUpdates = new WeakMap<Change, GraphUpdate[]>();

function findRunningUpdate(change: Change, containerKey: string): GraphUpdate | undefined {
  for (let each: Change | null = change; each !== null; each = each.cause) {
    const found = runningUpdates.get(each)?.find((update) => update.containerKey === containerKey);
    if (found !== undefined) return found;
  }
  return undefined;
}

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

type ContainerCalculation = {
  /** the values of the container, beside its status, that follow from its tasks */
  calculateValues(
    change: Change,
    id: number,
    isCompleted: boolean,
  ): Promise<InputOf<typeof workflow> | InputOf<typeof project>>;
  /** Targets that differ from the stored ones. They move with every other task, so they make no audit lines or events. */
  loadTargetChanges(change: Change, id: number): Promise<ReadonlyMap<number, TargetChange>>;
};

export function createTaskGraph(kind: ContainerKind, { calculateValues, loadTargetChanges }: ContainerCalculation) {
  const { containerType, taskType, phaseType } = kind;
  const sql = buildTaskGraphStatements(kind);
  const buildKey = (id: number): string => `${containerType} ${id}`;

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

  /** PT5: a milestone is completed at once, because nobody works on it. */
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
  async function processStatusChanges(change: Change, update: GraphUpdate, isOpen: boolean): Promise<boolean> {
    let isReopened = false;
    for (let next = update.statusChanges.shift(); next !== undefined; next = update.statusChanges.shift()) {
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
    if (startsTasks && isOpen) await assignTasks(change, await loadTaskIdsByTime(change, sql.selectFirstTasks, id));
    const isReopened = await processStatusChanges(change, update, isOpen);
    const staysClosed = isClosedByHand && !isOpen && !isReopened; // WS2
    let tasks = await loadTaskNodes(change, id);
    const isStarting = oldStatus === "registered" && tasks.some((each) => each.status !== "registered");
    if (isStarting && taskType === "project_task") {
      await setStatusOf(change, await loadTaskIdsByTime(change, sql.selectFirstMilestones, id), "assigned");
      await processStatusChanges(change, update, isOpen);
      tasks = await loadTaskNodes(change, id);
    }
    const status = staysClosed ? "completed" : calculateContainerStatus(tasks, by.now.getTime());
    const isCompleted = status === "completed";
    if (isCompleted && !staysClosed) {
      await setStatusOf(change, findUnusedFailureTasks(tasks), "canceled");
      tasks = await loadTaskNodes(change, id);
    }
    update.statusChanges.length = 0;
    for (const [taskId, { before, after }] of await loadTargetChanges(change, id)) {
      tx.send(sql.updateTargets, [taskId, account, after.completion_target_at, after.anticipated_assignment_at]);
      change.addDerivedUpdate(taskType, taskId, before, after);
    }
    await updatePhases(change, id, tasks);
    await change.update(containerType, id, {
      ...(staysClosed ? {} : { status, closed_by_hand: false }),
      ...(isCompleted && !staysClosed && isOpen ? { completion_reason: "complete" } : {}),
      ...(await calculateValues(change, id, isCompleted)),
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

  return {
    async lockFirstForTask(tx: Transaction, target: LockTarget): Promise<void> {
      if ("id" in target) return void (await tx.query(sql.lockContainerOfTask, [target.id, target.account]));
      const container = getNumberOrNull(target.values, containerType);
      if (container !== null) await tx.query(sql.lockContainer, [container, target.account]);
    },
    /** For types that are children of the task. */
    lockFirstForTaskChild(table: string) {
      const lockContainerOfTaskChild = buildLockContainerOfTaskChild(kind, table);
      return async (tx: Transaction, target: LockTarget): Promise<void> => {
        if ("id" in target) return void (await tx.query(lockContainerOfTaskChild, [target.id, target.account]));
        const taskId = getNumberOrNull(target.values, taskType);
        if (taskId !== null) await tx.query(sql.lockContainerOfTask, [taskId, target.account]);
      };
    },
    /** `work`: what else follows from the saved task, for its approvals and its request. */
    async afterSaveTask(change: TaskChange, container: number, work: Work): Promise<void> {
      const { id, before, after } = change;
      const [from, to] = [before === null ? null : before.status, after.status];
      const collect = async (update: GraphUpdate) => {
        if (from !== to) update.statusChanges.push({ id, from, to });
        await work();
      };
      await collectAndUpdate(change, container, collect, { always: affectsContainer(change) });
    },
    /** For changes outside of the tasks: links of the container, time spent on its tasks. */
    async refresh(change: Change, id: number): Promise<void> {
      if (findRunningUpdate(change, buildKey(id)) !== undefined) return;
      await change.tx.query(sql.lockContainer, [id, change.account]);
      await collectAndUpdate(change, id, () => {}, { always: true });
    },
    /** For changes of predecessors. */
    async afterReorder(change: Change, id: number): Promise<void> {
      const assignReady = async () => {
        if ((await change.tx.query(sql.selectContainer, [id, change.account]))[0]?.[0] !== "completed")
          await assignTasks(change, await loadTaskIdsByTime(change, sql.selectReadyAfterOthers, id));
      };
      await collectAndUpdate(change, id, assignReady, { always: true });
    },
    /** WF3: does the work, then assigns the first tasks. */
    start: (change: Change, id: number, work: Work = () => {}) =>
      collectAndUpdate(change, id, work, { startsTasks: true, always: true }),
    /** For changes of the container itself. */
    updateAround: (change: Change, id: number, work: Work = () => {}) =>
      collectAndUpdate(change, id, work, { always: true }),
    /** T15 */
    async cancelOpenTasks(change: Change, id: number): Promise<void> {
      await setStatusOf(change, await loadTaskIds(change, sql.selectOpenTasks, id), "canceled");
    },
    /** T3: whether a registered task waits for nothing but its start. */
    mayTaskStart: async (change: Change): Promise<boolean> =>
      (await change.tx.query(sql.selectIfMayStart, [change.id, change.account, toTimestamp(change.by.now)])).length > 0,
    /** PT5: whether all predecessors of a milestone are done. */
    isMilestoneReached: async (change: Change): Promise<boolean> =>
      (await loadTaskIdsByTime(change, sql.selectIfReadyAfterOthers, change.id)).length > 0,
    /** T2, T3: assigns a task whose start was removed or moved to the past. */
    async assignAfterStartChange(change: TaskChange, mayStart: () => Promise<boolean>): Promise<void> {
      const { id, before, after } = change;
      if (before?.status !== "registered" || after.status !== "registered") return;
      if (before.start_at === null || before.start_at === after.start_at || !(await mayStart())) return;
      const ready = await loadTaskIdsByTime(change, sql.selectIfReadyAfterOthers, id);
      if (ready.length > 0) await assignTasks(change, ready);
      else await setStatusOf(change, [id], "assigned");
    },
    /** The status that follows from the tasks, whatever the stored one is. */
    async loadStatus(change: Change, id: number): Promise<{ status: ContainerStatus; tasks: readonly TaskNode[] }> {
      const tasks = await loadTaskNodes(change, id);
      return { status: calculateContainerStatus(tasks, change.by.now.getTime()), tasks };
    },
  };
}
