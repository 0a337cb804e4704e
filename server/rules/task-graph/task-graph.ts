import { isActive, isDone, isFailed } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";
import {
  calculateContainerStatus,
  calculatePhaseStatus,
  findUnusedFailureTasks,
  type TaskNode,
} from "./container-status.ts";
import type { TargetChange } from "./task-targets.ts";

// How the tasks of a workflow or project bring each other on their way, and what that means for the whole. C7, PS1 to
// PS14, WS1 to WS6, WF1 to WF15, PH1 to PH3, PT1 to PT10, PJ1. The change that comes first is in charge: it collects
// what happens to the tasks meanwhile, and looks at phases and at the whole once, when the tasks are at rest. Everybody
// locks the whole before its tasks, so nobody looks at tasks that somebody else is about to change.

type ContainerKind = { container: "workflow" | "project"; task: "task" | "project_task"; phase: string };
type StatusChange = { id: number; from: string | null; to: string };
type GraphUpdate = { containerKey: string; statusChanges: StatusChange[] };

const runningUpdates = new WeakMap<Change, GraphUpdate[]>();

function findRunningUpdate(change: Change, of: string): GraphUpdate | undefined {
  for (let each: Change | null = change; each !== null; each = each.cause) {
    const found = runningUpdates.get(each)?.find((charge) => charge.containerKey === of);
    if (found !== undefined) return found;
  }
  return undefined;
}

const buildStatusList = (...statuses: string[]): string => `(${statuses.map((status) => `'${status}'`).join(", ")})`;
const goodStatusList = buildStatusList("completed", "approved", "canceled");

/** what else of a task the whole is interested in */
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

export type ContainerCalculation = {
  /** the values that the whole takes from its tasks beside its status */
  calculateValues(tx: Transaction, id: number, isCompleted: boolean): Promise<Values>;
  /**
   * When the tasks are expected to begin and to be done, as far as that is not stored. These move with every other
   * task: no audit line and no event tells of them.
   */
  loadTargetChanges(change: Change, id: number): Promise<ReadonlyMap<number, TargetChange>>;
};

export function createTaskGraph({ container, task, phase }: ContainerKind, whole: ContainerCalculation) {
  const [tasks, containers, phases] = [`${task}s`, `${container}s`, `${phase}s`];
  const before = `${task}_predecessors p JOIN ${tasks} e ON e.id = p.other_${task}_id`;
  const failure = task === "task" ? "t.failure_task_id" : "NULL::integer";
  // PS2: a task may come after the very task that repairs its failure; as long as nothing failed that one is not awaited.
  const isAwaited = `(e.id IS DISTINCT FROM ${failure} OR e.status <> 'registered')`;
  const awaits = (further: string) =>
    `EXISTS (SELECT 1 FROM ${before} WHERE p.${task}_id = t.id AND ${isAwaited}${further})`;
  const isReady = `t.status = 'registered' AND (t.start_at IS NULL OR t.start_at <= $2) AND NOT ${awaits(` AND e.status NOT IN ${goodStatusList}`)}`;
  const isRescuer = task === "task" ? "EXISTS (SELECT 1 FROM tasks f WHERE f.failure_task_id = t.id)" : "false";

  const lock = statement(`SELECT 1 FROM ${containers} WHERE id = $1 FOR NO KEY UPDATE`);
  const lockOf = statement(
    `SELECT 1 FROM ${containers} WHERE id = (SELECT ${container}_id FROM ${tasks} WHERE id = $1) FOR NO KEY UPDATE`,
  );
  const state = statement(`SELECT status, closed_by_hand FROM ${containers} WHERE id = $1`);
  const successors = statement(
    `SELECT t.id FROM ${tasks} t WHERE t.id IN (SELECT ${task}_id FROM ${task}_predecessors WHERE other_${task}_id = $1) AND ${isReady} ORDER BY t.id`,
  );
  const reworked = statement(
    `SELECT t.id FROM ${tasks} t WHERE t.id IN (SELECT ${task}_id FROM ${task}_predecessors WHERE other_${task}_id = $1) AND t.status IN ('failed', 'rejected') AND ${failure} = $1`,
  );
  const itself = statement(`SELECT t.id FROM ${tasks} t WHERE t.id = $1 AND ${isReady} AND ${awaits("")}`);
  const allReady = statement(
    `SELECT t.id FROM ${tasks} t WHERE t.${container}_id = $1 AND ${isReady} AND ${awaits("")} ORDER BY t.id`,
  );
  const rescuer = statement(
    `SELECT f.id FROM ${tasks} t JOIN ${tasks} f ON f.id = ${failure} WHERE t.id = $1 AND f.status IN ${buildStatusList("registered", "failed", "rejected", "completed", "approved", "canceled")}`,
  );
  const firstOnes = (further: string) =>
    statement(
      `SELECT t.id FROM ${tasks} t WHERE t.${container}_id = $1 AND ${isReady} AND NOT ${awaits("")} AND NOT ${isRescuer}${further} ORDER BY t.id`,
    );
  const first = firstOnes("");
  const firstMilestones = firstOnes(" AND t.category = 'milestone'");
  // Who takes a task back to registered after its start means it: that start is over.
  const mayStart = statement(
    `SELECT 1 FROM ${tasks} t WHERE t.id = $1 AND ${isReady} AND (t.assigned_at IS NULL OR t.assigned_at < t.start_at)
  AND NOT (${isRescuer} AND NOT ${awaits("")})`,
  );
  const category = statement(`SELECT category FROM ${tasks} WHERE id = $1`);
  const allSteps = statement(
    `SELECT t.id, t.status, t.assigned_at IS NOT NULL, extract(epoch FROM t.start_at) * 1000, t.phase_id, ${failure},
  (SELECT json_agg(p.other_${task}_id) FROM ${task}_predecessors p WHERE p.${task}_id = t.id)
FROM ${tasks} t WHERE t.${container}_id = $1 ORDER BY t.id`,
  );
  const allPhases = statement(
    `SELECT id, status, started_at FROM ${phases} WHERE ${container}_id = $1 ORDER BY position, id`,
  );
  const storeTargets = statement(
    `UPDATE ${tasks} SET completion_target_at = $2, anticipated_assignment_at = $3 WHERE id = $1`,
  );
  const unfinished = statement(
    `SELECT id FROM ${tasks} WHERE ${container}_id = $1 AND status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled') ORDER BY id`,
  );

  const loadTaskIdsByTime = async (
    change: Change,
    which: ReturnType<typeof statement>,
    id: number,
  ): Promise<number[]> => (await change.tx.query(which, [id, toTimestamp(change.by.now)])).map((row) => Number(row[0]));
  const loadTaskIds = async (change: Change, which: ReturnType<typeof statement>, id: number): Promise<number[]> =>
    (await change.tx.query(which, [id])).map((row) => Number(row[0]));

  async function loadTaskNodes(tx: Transaction, id: number): Promise<TaskNode[]> {
    return (await tx.query(allSteps, [id])).map(
      ([own, status, begun, startAt, phaseId, failureTask, predecessors]) => ({
        id: Number(own),
        status: String(status),
        wasAssigned: begun === "t",
        startAt: parseNumberOrNull(startAt),
        phase: parseNumberOrNull(phaseId),
        failureTask: parseNumberOrNull(failureTask),
        predecessors: JSON.parse(predecessors ?? "[]") as number[],
      }),
    );
  }

  /** PT5: nobody works on a milestone, it is reached. */
  async function release(change: Change, ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const isMilestone = task === "project_task" && (await change.tx.query(category, [id]))[0]?.[0] === "milestone";
      await change.update(task, id, { status: isMilestone ? "completed" : "assigned" });
    }
  }

  /** PS4, PS5, PS9, PS11, PS14: until nothing follows any more. Answers whether something was taken up again. */
  async function processStatusChanges(change: Change, charge: GraphUpdate, isOpen: boolean): Promise<boolean> {
    let reopened = false;
    for (let move = charge.statusChanges.shift(); move !== undefined; move = charge.statusChanges.shift()) {
      const { id, from, to } = move;
      const isOver = isDone(to) || isFailed(to);
      if (isActive(to) || ((isDone(from) || isFailed(from)) && !isOver)) reopened = true;
      if (!isOpen && !reopened) continue;
      if (isDone(to) && !isDone(from)) {
        await release(change, await loadTaskIdsByTime(change, successors, id));
        for (const failed of await loadTaskIds(change, reworked, id))
          await change.update(task, failed, { status: "assigned" });
      } else if (isFailed(to) && !isFailed(from)) {
        for (const other of await loadTaskIds(change, rescuer, id))
          await change.update(task, other, { status: "assigned" });
      } else if (from === null && to === "registered")
        await release(change, await loadTaskIdsByTime(change, itself, id));
    }
    return reopened;
  }

  async function updatePhases(change: Change, id: number, steps: readonly TaskNode[]): Promise<void> {
    const now = toTimestamp(change.by.now);
    for (const [own, old, startedAt] of await change.tx.query(allPhases, [id])) {
      const within = steps.filter((step) => step.phase === Number(own));
      const status = calculatePhaseStatus(within, startedAt !== null);
      const values: Values = { status };
      if (status !== old) values.completed_at = status === "completed" ? now : null;
      if (startedAt === null && within.some((step) => step.status !== "registered" && step.status !== "canceled"))
        values.started_at = now;
      if (status !== old || "started_at" in values) await change.update(phase, Number(own), values);
    }
  }

  async function settle(change: Change, charge: GraphUpdate, id: number, start: boolean): Promise<void> {
    const { tx, by } = change;
    const [row] = await tx.query(state, [id]);
    if (row === undefined || row[0] === "being_created") return;
    const [status, byHand] = [String(row[0]), row[1] === "t"];
    const isOpen = status !== "completed";
    if (start && isOpen) await release(change, await loadTaskIdsByTime(change, first, id));
    const reopened = await processStatusChanges(change, charge, isOpen);
    const closed = byHand && !isOpen && !reopened; // WS2
    let steps = await loadTaskNodes(tx, id);
    if (status === "registered" && task === "project_task" && steps.some((step) => step.status !== "registered")) {
      for (const each of await loadTaskIdsByTime(change, firstMilestones, id))
        await change.update(task, each, { status: "assigned" });
      await processStatusChanges(change, charge, isOpen);
      steps = await loadTaskNodes(tx, id);
    }
    const computed = closed ? "completed" : calculateContainerStatus(steps, by.now.getTime());
    if (computed === "completed" && !closed) {
      for (const spare of findUnusedFailureTasks(steps)) await change.update(task, spare, { status: "canceled" });
      steps = await loadTaskNodes(tx, id);
    }
    charge.statusChanges.length = 0;
    for (const [each, { before, after }] of await whole.loadTargetChanges(change, id)) {
      tx.send(storeTargets, [each, after.completion_target_at as string, after.anticipated_assignment_at as string]);
      change.addDerivedUpdate(task, each, before, after);
    }
    await updatePhases(change, id, steps);
    await change.update(container, id, {
      ...(closed ? {} : { status: computed, closed_by_hand: false }),
      ...(computed === "completed" && !closed && isOpen ? { completion_reason: "complete" } : {}),
      ...(await whole.calculateValues(tx, id, computed === "completed")),
    });
  }

  /** Whoever is not in charge already takes charge, and looks at the whole when the work is done. */
  async function collectAndUpdate(
    change: Change,
    id: number,
    work: (charge: GraphUpdate) => void | Promise<void>,
    options: { start?: boolean; always?: boolean } = {},
  ): Promise<void> {
    const above = findRunningUpdate(change, `${container} ${id}`);
    if (above !== undefined) return work(above);
    const charge: GraphUpdate = { containerKey: `${container} ${id}`, statusChanges: [] };
    runningUpdates.set(change, [...(runningUpdates.get(change) ?? []), charge]);
    await work(charge);
    if (charge.statusChanges.length > 0 || options.always === true)
      await settle(change, charge, id, options.start === true);
    runningUpdates.set(
      change,
      (runningUpdates.get(change) ?? []).filter((other) => other !== charge),
    );
  }

  return {
    /** `turns` of the tasks: the whole is locked before any of them. */
    async lockFirstForTask(tx: Transaction, record: { id: number } | { values: Values }): Promise<void> {
      if ("id" in record) await tx.query(lockOf, [record.id]);
      else if (typeof record.values[container] === "number") await tx.query(lock, [record.values[container]]);
    },
    /** `turns` of what belongs to a task. */
    lockFirstForTaskChild: (table: string) => {
      const lockAbove = statement(
        `SELECT 1 FROM ${containers} WHERE id = (SELECT t.${container}_id FROM ${tasks} t JOIN ${table} b ON b.${task}_id = t.id WHERE b.id = $1) FOR NO KEY UPDATE`,
      );
      return async (tx: Transaction, record: { id: number } | { values: Values }): Promise<void> => {
        if ("id" in record) await tx.query(lockAbove, [record.id]);
        else if (typeof record.values[task] === "number") await tx.query(lockOf, [record.values[task]]);
      };
    },
    /** The saved task: `work` is what follows for its own approvals and request. */
    async afterSaveTask(change: Change, work: () => Promise<void>): Promise<void> {
      const { id, before, after } = change;
      const whose = after[container];
      if (typeof whose !== "number") return work();
      const from = before === null ? null : String(before.status);
      const to = String(after.status);
      const always = before === null || fieldsAffectingContainer.some((name) => before[name] !== after[name]);
      const collect = async (charge: GraphUpdate) => {
        if (from !== to) charge.statusChanges.push({ id, from, to });
        await work();
      };
      await collectAndUpdate(change, whose, collect, { always });
    },
    /** Something else the whole depends on has changed: its links, the time spent on it. */
    async refresh(change: Change, id: number): Promise<void> {
      if (findRunningUpdate(change, `${container} ${id}`) !== undefined) return;
      await change.tx.query(lock, [id]);
      await collectAndUpdate(change, id, () => {}, { always: true });
    },
    /** The order of its tasks has changed. */
    async afterReorder(change: Change, id: number): Promise<void> {
      const releaseReady = async () => {
        if ((await change.tx.query(state, [id]))[0]?.[0] !== "completed")
          await release(change, await loadTaskIdsByTime(change, allReady, id));
      };
      await collectAndUpdate(change, id, releaseReady, { always: true });
    },
    /** WF3: the first tasks begin. `work` comes before. */
    start: (change: Change, id: number, work: () => void | Promise<void> = () => {}) =>
      collectAndUpdate(change, id, work, { start: true, always: true }),
    /** What is done to the whole by hand, and what follows for its tasks. */
    updateAround: (change: Change, id: number, work: () => void | Promise<void> = () => {}) =>
      collectAndUpdate(change, id, work, { always: true }),
    /** T15: what is not finished never will be. */
    async cancelOpenTasks(change: Change, id: number): Promise<void> {
      for (const each of await loadTaskIds(change, unfinished, id))
        await change.update(task, each, { status: "canceled" });
    },
    /** T3: whether a registered task waits for nothing but its start. */
    mayTaskStart: async (change: Change): Promise<boolean> =>
      (await change.tx.query(mayStart, [change.id, toTimestamp(change.by.now)])).length > 0,
    /** PT5: whether all before a milestone are good. */
    isMilestoneReached: async (change: Change): Promise<boolean> =>
      (await loadTaskIdsByTime(change, itself, change.id)).length > 0,
    /** T2, T3: a start that is taken away, or moved to the past, holds a task back no longer. */
    async releaseAfterStartChange(change: Change, mayStart: (change: Change) => Promise<boolean>): Promise<void> {
      const { id, before, after } = change;
      if (before?.status !== "registered" || after.status !== "registered") return;
      if (before.start_at === null || before.start_at === after.start_at || !(await mayStart(change))) return;
      const reached = await loadTaskIdsByTime(change, itself, id);
      if (reached.length > 0) await release(change, reached);
      else await change.update(task, id, { status: "assigned" });
    },
    /** What the status would be by its tasks alone. */
    loadStatus: async (change: Change, id: number): Promise<{ status: string; steps: readonly TaskNode[] }> => {
      const steps = await loadTaskNodes(change.tx, id);
      return { status: calculateContainerStatus(steps, change.by.now.getTime()), steps };
    },
  };
}
