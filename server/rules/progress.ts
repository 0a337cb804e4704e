import { isActive, isDone, isFailed } from "../../records/work/finished.ts";
import { stampOf } from "../base/clock.ts";
import type { Change, Values } from "../engine/rules.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { numberOr } from "./number-or.ts";
import { phaseFrom, type Step, sparesAmong, statusFrom } from "./progress-status.ts";
import type { Moved } from "./targets.ts";

// How the tasks of a workflow or project bring each other on their way, and what that means for the whole. Reference:
// lifecycles.md C7 and sections 8 to 11. The change that comes first is in charge: it collects what happens to the tasks
// meanwhile, and looks at phases and at the whole once, when the tasks are at rest. Everybody locks the whole before its
// tasks, so nobody looks at tasks that somebody else is about to change.

type Kind = { container: "workflow" | "project"; task: "task" | "project_task"; phase: string };
type Move = { id: number; from: string | null; to: string };
type Charge = { of: string; moves: Move[] };

const charges = new WeakMap<Change, Charge[]>();

function chargeAbove(change: Change, of: string): Charge | undefined {
  for (let each: Change | null = change; each !== null; each = each.cause) {
    const found = charges.get(each)?.find((charge) => charge.of === of);
    if (found !== undefined) return found;
  }
  return undefined;
}

const hasStatus = (...statuses: string[]): string => `(${statuses.map((status) => `'${status}'`).join(", ")})`;
const good = hasStatus("completed", "approved", "canceled");

/** what else of a task the whole is interested in */
const telling = [
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

export type Whole = {
  /** the values that the whole takes from its tasks beside its status */
  derived(tx: Transaction, id: number, isCompleted: boolean): Promise<Values>;
  /**
   * When the tasks are expected to begin and to be done, as far as that is not stored. These move with every other
   * task: no audit line and no event tells of them.
   */
  targets(change: Change, id: number): Promise<ReadonlyMap<number, Moved>>;
};

export function progressOf({ container, task, phase }: Kind, whole: Whole) {
  const [tasks, containers, phases] = [`${task}s`, `${container}s`, `${phase}s`];
  const before = `${task}_predecessors p JOIN ${tasks} e ON e.id = p.other_${task}_id`;
  const failure = task === "task" ? "t.failure_task_id" : "NULL::integer";
  // PS2: a task may come after the very task that repairs its failure; as long as nothing failed that one is not awaited.
  const isAwaited = `(e.id IS DISTINCT FROM ${failure} OR e.status <> 'registered')`;
  const awaits = (further: string) =>
    `EXISTS (SELECT 1 FROM ${before} WHERE p.${task}_id = t.id AND ${isAwaited}${further})`;
  const isReady = `t.status = 'registered' AND (t.start_at IS NULL OR t.start_at <= $2) AND NOT ${awaits(` AND e.status NOT IN ${good}`)}`;
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
    `SELECT f.id FROM ${tasks} t JOIN ${tasks} f ON f.id = ${failure} WHERE t.id = $1 AND f.status IN ${hasStatus("registered", "failed", "rejected", "completed", "approved", "canceled")}`,
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

  const idsOf = async (change: Change, which: ReturnType<typeof statement>, id: number): Promise<number[]> =>
    (await change.tx.query(which, [id, stampOf(change.by.now)])).map((row) => Number(row[0]));
  const plainIdsOf = async (change: Change, which: ReturnType<typeof statement>, id: number): Promise<number[]> =>
    (await change.tx.query(which, [id])).map((row) => Number(row[0]));

  async function stepsOf(tx: Transaction, id: number): Promise<Step[]> {
    return (await tx.query(allSteps, [id])).map(
      ([own, status, begun, startAt, phaseId, failureTask, predecessors]) => ({
        id: Number(own),
        status: String(status),
        hasBegun: begun === "t",
        startAt: numberOr(startAt),
        phase: numberOr(phaseId),
        failureTask: numberOr(failureTask),
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
  async function bringOnTheirWay(change: Change, charge: Charge, isOpen: boolean): Promise<boolean> {
    let reopened = false;
    for (let move = charge.moves.shift(); move !== undefined; move = charge.moves.shift()) {
      const { id, from, to } = move;
      const isOver = isDone(to) || isFailed(to);
      if (isActive(to) || ((isDone(from) || isFailed(from)) && !isOver)) reopened = true;
      if (!isOpen && !reopened) continue;
      if (isDone(to) && !isDone(from)) {
        await release(change, await idsOf(change, successors, id));
        for (const failed of await plainIdsOf(change, reworked, id))
          await change.update(task, failed, { status: "assigned" });
      } else if (isFailed(to) && !isFailed(from)) {
        for (const other of await plainIdsOf(change, rescuer, id))
          await change.update(task, other, { status: "assigned" });
      } else if (from === null && to === "registered") await release(change, await idsOf(change, itself, id));
    }
    return reopened;
  }

  async function updatePhases(change: Change, id: number, steps: readonly Step[]): Promise<void> {
    const now = stampOf(change.by.now);
    for (const [own, old, startedAt] of await change.tx.query(allPhases, [id])) {
      const within = steps.filter((step) => step.phase === Number(own));
      const status = phaseFrom(within, startedAt !== null);
      const values: Values = { status };
      if (status !== old) values.completed_at = status === "completed" ? now : null;
      if (startedAt === null && within.some((step) => step.status !== "registered" && step.status !== "canceled"))
        values.started_at = now;
      if (status !== old || "started_at" in values) await change.update(phase, Number(own), values);
    }
  }

  async function settle(change: Change, charge: Charge, id: number, start: boolean): Promise<void> {
    const { tx, by } = change;
    const [row] = await tx.query(state, [id]);
    if (row === undefined || row[0] === "being_created") return;
    const [status, byHand] = [String(row[0]), row[1] === "t"];
    const isOpen = status !== "completed";
    if (start && isOpen) await release(change, await idsOf(change, first, id));
    const reopened = await bringOnTheirWay(change, charge, isOpen);
    const closed = byHand && !isOpen && !reopened; // W2
    let steps = await stepsOf(tx, id);
    if (status === "registered" && task === "project_task" && steps.some((step) => step.status !== "registered")) {
      for (const each of await idsOf(change, firstMilestones, id))
        await change.update(task, each, { status: "assigned" });
      await bringOnTheirWay(change, charge, isOpen);
      steps = await stepsOf(tx, id);
    }
    const computed = closed ? "completed" : statusFrom(steps, by.now.getTime());
    if (computed === "completed" && !closed) {
      for (const spare of sparesAmong(steps)) await change.update(task, spare, { status: "canceled" });
      steps = await stepsOf(tx, id);
    }
    charge.moves.length = 0;
    for (const [each, { before, after }] of await whole.targets(change, id)) {
      tx.send(storeTargets, [each, after.completion_target_at as string, after.anticipated_assignment_at as string]);
      change.moved(task, each, before, after);
    }
    await updatePhases(change, id, steps);
    await change.update(container, id, {
      ...(closed ? {} : { status: computed, closed_by_hand: false }),
      ...(computed === "completed" && !closed && isOpen ? { completion_reason: "complete" } : {}),
      ...(await whole.derived(tx, id, computed === "completed")),
    });
  }

  /** Whoever is not in charge already takes charge, and looks at the whole when the work is done. */
  async function inCharge(
    change: Change,
    id: number,
    work: (charge: Charge) => void | Promise<void>,
    options: { start?: boolean; always?: boolean } = {},
  ): Promise<void> {
    const above = chargeAbove(change, `${container} ${id}`);
    if (above !== undefined) return work(above);
    const charge: Charge = { of: `${container} ${id}`, moves: [] };
    charges.set(change, [...(charges.get(change) ?? []), charge]);
    await work(charge);
    if (charge.moves.length > 0 || options.always === true) await settle(change, charge, id, options.start === true);
    charges.set(
      change,
      (charges.get(change) ?? []).filter((other) => other !== charge),
    );
  }

  return {
    /** `turns` of the tasks: the whole is locked before any of them. */
    async turnsOfTasks(tx: Transaction, record: { id: number } | { values: Values }): Promise<void> {
      if ("id" in record) await tx.query(lockOf, [record.id]);
      else if (typeof record.values[container] === "number") await tx.query(lock, [record.values[container]]);
    },
    /** `turns` of what belongs to a task. */
    turnsBelowTasks: (table: string) => {
      const lockAbove = statement(
        `SELECT 1 FROM ${containers} WHERE id = (SELECT t.${container}_id FROM ${tasks} t JOIN ${table} b ON b.${task}_id = t.id WHERE b.id = $1) FOR NO KEY UPDATE`,
      );
      return async (tx: Transaction, record: { id: number } | { values: Values }): Promise<void> => {
        if ("id" in record) await tx.query(lockAbove, [record.id]);
        else if (typeof record.values[task] === "number") await tx.query(lockOf, [record.values[task]]);
      };
    },
    /** The saved task: `work` is what follows for its own approvals and request. */
    async taskSaved(change: Change, work: () => Promise<void>): Promise<void> {
      const { id, before, after } = change;
      const whose = after[container];
      if (typeof whose !== "number") return work();
      const from = before === null ? null : String(before.status);
      const to = String(after.status);
      const always = before === null || telling.some((name) => before[name] !== after[name]);
      const collect = async (charge: Charge) => {
        if (from !== to) charge.moves.push({ id, from, to });
        await work();
      };
      await inCharge(change, whose, collect, { always });
    },
    /** Something else the whole depends on has changed: its links, the time spent on it. */
    async refresh(change: Change, id: number): Promise<void> {
      if (chargeAbove(change, `${container} ${id}`) !== undefined) return;
      await change.tx.query(lock, [id]);
      await inCharge(change, id, () => {}, { always: true });
    },
    /** The order of its tasks has changed. */
    async reordered(change: Change, id: number): Promise<void> {
      const releaseReady = async () => {
        if ((await change.tx.query(state, [id]))[0]?.[0] !== "completed")
          await release(change, await idsOf(change, allReady, id));
      };
      await inCharge(change, id, releaseReady, { always: true });
    },
    /** WF3: the first tasks begin. `work` comes before. */
    start: (change: Change, id: number, work: () => void | Promise<void> = () => {}) =>
      inCharge(change, id, work, { start: true, always: true }),
    /** What is done to the whole by hand, and what follows for its tasks. */
    during: (change: Change, id: number, work: () => void | Promise<void> = () => {}) =>
      inCharge(change, id, work, { always: true }),
    /** T15: what is not finished never will be. */
    async cancelOpen(change: Change, id: number): Promise<void> {
      for (const each of await plainIdsOf(change, unfinished, id))
        await change.update(task, each, { status: "canceled" });
    },
    /** T3: whether a registered task waits for nothing but its start. */
    nothingHoldsBack: async (change: Change): Promise<boolean> =>
      (await change.tx.query(mayStart, [change.id, stampOf(change.by.now)])).length > 0,
    /** PT5: whether all before a milestone are good. */
    isReached: async (change: Change): Promise<boolean> => (await idsOf(change, itself, change.id)).length > 0,
    /** T2, T3: a start that is taken away, or moved to the past, holds a task back no longer. */
    async followStart(change: Change, mayStart: (change: Change) => Promise<boolean>): Promise<void> {
      const { id, before, after } = change;
      if (before?.status !== "registered" || after.status !== "registered") return;
      if (before.start_at === null || before.start_at === after.start_at || !(await mayStart(change))) return;
      const reached = await idsOf(change, itself, id);
      if (reached.length > 0) await release(change, reached);
      else await change.update(task, id, { status: "assigned" });
    },
    /** What the status would be by its tasks alone. */
    statusOf: async (change: Change, id: number): Promise<{ status: string; steps: readonly Step[] }> => {
      const steps = await stepsOf(change.tx, id);
      return { status: statusFrom(steps, change.by.now.getTime()), steps };
    },
  };
}
