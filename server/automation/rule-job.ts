import { TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { buildLockKey, tryAcquireLock } from "../database/advisory-lock.ts";
import { statement, type Transaction } from "../database/database.ts";
import { updateUnchecked } from "../engine/change.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { lockActiveValues } from "../engine/write/lock.ts";
import type { JobClaim } from "../queue/worker.ts";
import { alreadyRan, CascadeGuard } from "./cascade-guard.ts";
import { automationJob, buildAboutKey, enqueueDelayedRule, type RuleJobPayload } from "./rule-job-payload.ts";
import { mailRepeatedFailure, type RunLogEntry, writeRunLogEntry } from "./run-log.ts";
import { type Automation, loadRules, RuleRunFailure, runRule, toRunError } from "./run-rule.ts";

// Handles rule jobs. Jobs of one record run one at a time in the order of the saves: the worker that holds the lock of the
// record takes its oldest job. One transaction runs rules and advances the job past them, so a rule takes effect once, even
// if the process crashes. A failing rule is rolled back together with the rules before it, which run again without it.

/** The chain and depth that changes of a transaction inherit. */
type CascadePosition = { chain: string; depth: number };
const cascadePositions = new WeakMap<Transaction, CascadePosition>();
export const getCascadePosition = (tx: Transaction): CascadePosition | undefined => cascadePositions.get(tx);

// A rescheduled job still precedes jobs of later saves. A delayed rule has a key and waits for its time.
const selectOldestJob = statement(
  `SELECT id FROM jobs WHERE kind = '${automationJob}' AND about = $1 AND (key IS NULL OR run_at <= $2) AND dead_at IS NULL ORDER BY id LIMIT 1`,
);
const selectPayload = statement("SELECT payload FROM jobs WHERE id = $1");
const updateProgress = statement(
  "UPDATE jobs SET payload = payload || $3::jsonb WHERE id = $1 AND (payload->>'next')::integer = $2 RETURNING 1",
);
const deleteJob = statement("DELETE FROM jobs WHERE id = $1 AND (payload->>'next')::integer = $2 RETURNING 1");
const postponeJob = statement(
  "UPDATE jobs SET leased_until = clock_timestamp() + interval '200 milliseconds', fence = fence + 1, attempts = 0 WHERE id = $1 AND fence = $2",
);

const maxAttempts = 8;
/** A transaction that took longer releases the lock of the record before the next rule. */
const maxTransactionMilliseconds = 200;

class JobOvertaken extends Error {}

export async function runRuleJob(automation: Automation, payload: RuleJobPayload, claim: JobClaim): Promise<void> {
  const { database, clock } = automation.engine;
  const about = buildAboutKey(payload);
  for (;;) {
    const [row] = await database.read(selectOldestJob, [about, clock.now().toISOString()]);
    if (row === undefined) return;
    if (await runNextRules(automation, about, Number(row[0]), claim.attempts)) continue;
    await database.change(postponeJob, [claim.id, claim.fence]);
    return;
  }
}

/** Runs up to `limit` rules of a job; false: another worker has the record. */
async function runNextRules(
  automation: Automation,
  about: string,
  job: number,
  attempts: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { database } = automation.engine;
  let [ran, isCommitting] = [0, false];
  try {
    return await database.transaction(async (tx) => {
      [ran, isCommitting] = [0, false];
      const start = await claimJob(tx, about, job);
      if (typeof start !== "object") return start;
      await runRules(automation, tx, job, start, () => ++ran < limit);
      isCommitting = true;
      return true;
    });
  } catch (error) {
    if (error instanceof JobOvertaken) return true;
    if (error instanceof Unavailable || error instanceof TimedOut) throw error;
    // The rules before the failing one were rolled back with it: they run again and are committed without it. An error at
    // the commit does not reveal which rule caused it, so fewer rules are run to find it.
    const fewer = isCommitting ? Math.floor(ran / 2) : ran;
    if (fewer > 0) return runNextRules(automation, about, job, attempts, fewer);
    // An error that is not the rule's fault is retried as in every job, before it counts as a failure of the rule.
    if (!(error instanceof RuleRunFailure) && toRunError(error) === null && attempts < maxAttempts) throw error;
    return recordFailure(automation, about, job, error);
  }
}

/** Locks the record and returns the job; true: the job is done already, false: another worker has the record. */
async function claimJob(tx: Transaction, about: string, job: number): Promise<RuleJobPayload | boolean> {
  if ((await tx.query(tryAcquireLock, [buildLockKey("automation", about)]))[0]?.[0] !== "t") return false;
  const [row] = await tx.query(selectPayload, [job]);
  return row === undefined ? true : (JSON.parse(row[0] as string) as RuleJobPayload);
}

/** Runs the rules that may run and advances the job past the last of them. */
async function runRules(
  automation: Automation,
  tx: Transaction,
  job: number,
  start: RuleJobPayload,
  mayContinue: () => boolean,
) {
  const { clock } = automation.engine;
  const startTime = Date.now();
  if (start.next >= start.rules.length) {
    await finishAutomationTask(automation, tx, start, clock.now());
    return advanceJob(tx, job, start, countSteps(start));
  }
  cascadePositions.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const [rules, chain] = await Promise.all([loadRules(tx, start), CascadeGuard.lock(tx, start, clock.now())]);
  const delayed: { rule: number; at: Date }[] = [];
  let current = start;
  let hasTime = true;
  for (; hasTime && current.next < start.rules.length; current = { ...current, next: current.next + 1 }) {
    const now = clock.now();
    const rule = rules.get(start.rules[current.next]?.id ?? 0);
    if (rule === undefined || rule.disabled) continue;
    const refusal = chain.findRefusal(current, now);
    if (refusal !== null) {
      if (refusal !== alreadyRan) writeRunLogEntry(tx, buildDroppedEntry(current, rule, refusal, now));
      continue;
    }
    const result = await runRule(automation, tx, current, rule, now);
    writeRunLogEntry(tx, result.line);
    if (result.line.outcome === "done") chain.recordRun(current, now);
    delayed.push(...result.delayed);
    const hasFollowUp = result.calledWebhook || result.delayed.length > 0;
    const waits = start.task !== undefined && current.task === "done" && hasFollowUp;
    current = { ...current, ...(result.changedRecord ? { saved: null } : {}), ...(waits ? { task: "waits" } : {}) };
    hasTime = mayContinue() && Date.now() - startTime < maxTransactionMilliseconds;
  }
  chain.save(tx);
  // The job is deleted before delayed rules are enqueued: a rule may start itself again under the same key.
  const { saved, task } = current;
  await advanceJob(tx, job, start, current.next, { saved, ...(task === undefined ? {} : { task }) });
  const later = { next: 0, before: null, saved: null, person: null, note: null };
  const waits = task === undefined ? {} : { task: "waits" as const };
  for (const { rule: id, at } of delayed)
    enqueueDelayedRule(tx, { ...start, ...later, ...waits, rules: [{ id, trigger: "after delay" }] }, at);
}

/** TA3 to TA5: a status set by a rule stays; otherwise the task ends, unless it waits for an answer or a delayed rule. */
async function finishAutomationTask(
  { engine }: Automation,
  tx: Transaction,
  start: RuleJobPayload,
  now: Date,
): Promise<void> {
  const type = engine.types.get(start.type);
  const status = start.task === "failed" ? "failed" : "completed";
  if (
    start.task === "waits" ||
    (await lockActiveValues(engine, tx, type, start.id, start.account))?.status !== "assigned"
  )
    return;
  cascadePositions.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const by = await loadServiceCaller(tx, start.account, now);
  await updateUnchecked({ engine, tx, by, type }, start.id, { status }, { account: start.account });
}

/** The end of an automation task is one more step after the last rule. */
const countSteps = ({ rules, task }: RuleJobPayload): number => rules.length + (task === undefined ? 0 : 1);

/** Throws if another worker has advanced the job meanwhile. */
async function advanceJob(
  tx: Transaction,
  job: number,
  from: RuleJobPayload,
  to: number,
  progress: Partial<Pick<RuleJobPayload, "saved" | "task">> = {},
): Promise<void> {
  const isFinished = to >= countSteps(from);
  const advanced = isFinished
    ? tx.query(deleteJob, [job, from.next])
    : tx.query(updateProgress, [job, from.next, JSON.stringify({ next: to, ...progress })]);
  if ((await advanced).length === 0) throw new JobOvertaken();
}

/** Logs the failure of a rule whose changes were rolled back, and advances the job past it. */
async function recordFailure(automation: Automation, about: string, job: number, error: unknown): Promise<boolean> {
  const { engine, log } = automation;
  return engine.database
    .transaction(async (tx) => {
      const start = await claimJob(tx, about, job);
      if (typeof start !== "object") return start;
      const now = engine.clock.now();
      // The first rule that may run is the one that failed.
      const [rules, chain] = await Promise.all([loadRules(tx, start), CascadeGuard.lock(tx, start, now)]);
      for (let next = start.next; next < start.rules.length; next++) {
        const current = { ...start, next };
        const rule = rules.get(start.rules[next]?.id ?? 0);
        if (rule === undefined || rule.disabled || chain.findRefusal(current, now) !== null) continue;
        const line =
          error instanceof RuleRunFailure ? error.line : buildFailedEntry(automation, current, rule, error, now);
        writeRunLogEntry(tx, line);
        chain.recordRun(current, now);
        chain.save(tx);
        await mailRepeatedFailure(tx, line, now);
        const fails = start.task !== undefined && rule.isLinked;
        await advanceJob(tx, job, start, next + 1, fails ? { task: "failed" } : {});
        return true;
      }
      // No rule is left: the step that ends the automation task failed.
      if (start.next >= start.rules.length) log.error("an automation task could not be ended", describeError(error));
      await advanceJob(tx, job, start, start.next >= start.rules.length ? countSteps(start) : start.rules.length);
      return true;
    })
    .catch((failure) => {
      if (failure instanceof JobOvertaken) return true;
      log.error("a failed automation rule could not be logged", describeError(failure));
      throw failure;
    });
}

type Rule = { id: number; name: string };

const buildEmptyEntry = (
  start: RuleJobPayload,
  { id, name }: Rule,
  now: Date,
): Omit<RunLogEntry, "outcome" | "error"> => ({
  ...{ account: start.account, rule: { id, name }, type: start.type, id: start.id, chain: start.chain, startedAt: now },
  ...{
    trigger: start.rules[start.next]?.trigger ?? "",
    milliseconds: 0,
    person: null,
    expressions: [],
    condition: null,
    actions: [],
    effects: [],
  },
});

const buildDroppedEntry = (start: RuleJobPayload, rule: Rule, reason: string, now: Date): RunLogEntry => ({
  ...buildEmptyEntry(start, rule, now),
  outcome: "dropped",
  error: { kind: "limit", message: reason },
});

export function buildFailedEntry(
  { log }: Automation,
  start: RuleJobPayload,
  rule: Rule,
  error: unknown,
  now: Date,
): RunLogEntry {
  const runError = toRunError(error);
  if (runError === null) log.error("an automation rule could not be run", { rule: rule.id, ...describeError(error) });
  return {
    ...buildEmptyEntry(start, rule, now),
    outcome: "failed",
    error: runError ?? { kind: "evaluation", message: "the rule could not be run" },
  };
}
