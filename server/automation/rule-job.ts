import { TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { updateUnchecked } from "../engine/change.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { lockActiveValues } from "../engine/write/lock.ts";
import type { JobClaim } from "../queue/worker.ts";
import { buildLockKey, tryAcquireLock } from "../storage/advisory-lock.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { alreadyRan, CascadeGuard } from "./cascade-guard.ts";
import { automationJob, buildAboutKey, enqueueDelayedRule, type RuleJobPayload } from "./rule-job-payload.ts";
import { mailRepeatedFailure, type RunLogEntry, writeRunLogEntry } from "./run-log.ts";
import { type Automation, loadRules, RuleRunFailure, runRule, toRunError } from "./run-rule.ts";

// The job of automation. Jobs about one record are worked off in the order of the saves, one at a time: whoever holds the
// lock of the record takes its oldest job. A transaction runs rules, one after the other, and moves the job behind them; so
// a rule takes effect once, whenever the process dies. One that fails is undone with those before it, which run again in a
// transaction without it.

/** What the changes made in a transaction descend from. */
type CascadePosition = { chain: string; depth: number };
const cascadePositions = new WeakMap<Transaction, CascadePosition>();
export const getCascadePosition = (tx: Transaction): CascadePosition | undefined => cascadePositions.get(tx);

// One that was put back still comes before those of later saves; a delayed one has a key, and its time.
const selectOldestJob = statement(
  `SELECT id FROM jobs WHERE kind = '${automationJob}' AND about = $1 AND (key IS NULL OR run_at <= $2) ORDER BY id LIMIT 1`,
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
/** milliseconds after which a transaction lets others at the record again */
const maxTransactionMilliseconds = 200;

class JobOvertaken extends Error {}

export async function runRuleJob(automation: Automation, payload: RuleJobPayload, claim: JobClaim): Promise<void> {
  const { database, clock } = automation.engine;
  const about = buildAboutKey(payload);
  for (;;) {
    const [row] = await database.read(selectOldestJob, [about, clock.now().toISOString()]);
    if (row === undefined) return;
    if (await runNextRules(automation, about, Number(row[0]), claim.attempts)) continue;
    await database.read(postponeJob, [claim.id, claim.fence]);
    return;
  }
}

/** Runs the next rules of a job, at most so many; false: somebody else is at it. */
async function runNextRules(
  automation: Automation,
  about: string,
  job: number,
  attempts: number,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { database } = automation.engine;
  let [ran, atTheEnd] = [0, false];
  try {
    return await database.transaction(async (tx) => {
      [ran, atTheEnd] = [0, false];
      const start = await claimJob(tx, about, job);
      if (typeof start !== "object") return start;
      await runRules(automation, tx, job, start, () => ++ran < most);
      atTheEnd = true;
      return true;
    });
  } catch (error) {
    if (error instanceof JobOvertaken) return true;
    if (error instanceof Unavailable || error instanceof TimedOut) throw error;
    // Those before the one that failed were undone with it: they run again, and then are safe. What the database refuses
    // only when all is written down was done by one of them: it is found by running fewer.
    const fewer = atTheEnd ? Math.floor(ran / 2) : ran;
    if (fewer > 0) return runNextRules(automation, about, job, attempts, fewer);
    // What is not the fault of the rule is tried again, as every job is, before it counts against it.
    if (!(error instanceof RuleRunFailure) && toRunError(error) === null && attempts < maxAttempts) throw error;
    return recordFailure(automation, about, job, error);
  }
}

/** The job, under the lock of its record. True: it is done already, false: the record is being worked on. */
async function claimJob(tx: Transaction, about: string, job: number): Promise<RuleJobPayload | boolean> {
  if ((await tx.query(tryAcquireLock, [buildLockKey("automation", about)]))[0]?.[0] !== "t") return false;
  const [row] = await tx.query(selectPayload, [job]);
  return row === undefined ? true : (JSON.parse(row[0] as string) as RuleJobPayload);
}

/** Runs the rules that may run, one after the other, and moves the job behind the last of them. */
async function runRules(
  automation: Automation,
  tx: Transaction,
  job: number,
  start: RuleJobPayload,
  goesOn: () => boolean,
) {
  const { clock } = automation.engine;
  const begun = Date.now();
  if (start.next >= start.rules.length) {
    await finishAutomationTask(automation, tx, start, clock.now());
    return advanceJob(tx, job, start, countSteps(start));
  }
  cascadePositions.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const [rules, chain] = await Promise.all([loadRules(tx, start), CascadeGuard.lock(tx, start, clock.now())]);
  const delayed: { rule: number; at: Date }[] = [];
  let here = start;
  for (let more = true; more && here.next < start.rules.length; here = { ...here, next: here.next + 1 }) {
    const now = clock.now();
    const rule = rules.get(start.rules[here.next]?.id ?? 0);
    if (rule === undefined || rule.disabled) continue;
    const refused = chain.findRefusal(here, now);
    if (refused !== null) {
      if (refused !== alreadyRan) writeRunLogEntry(tx, buildDroppedEntry(here, rule, refused, now));
      continue;
    }
    const came = await runRule(automation, tx, here, rule, now);
    writeRunLogEntry(tx, came.line);
    if (came.line.outcome === "done") chain.recordRun(here, now);
    delayed.push(...came.delayed);
    const waits = start.task !== undefined && here.task === "done" && (came.calledWebhook || came.delayed.length > 0);
    here = { ...here, ...(came.changedRecord ? { saved: null } : {}), ...(waits ? { task: "waits" } : {}) };
    more = goesOn() && Date.now() - begun < maxTransactionMilliseconds;
  }
  chain.save(tx);
  // The job ends before others are planned: a rule may start itself again.
  const { saved, task } = here;
  await advanceJob(tx, job, start, here.next, { saved, ...(task === undefined ? {} : { task }) });
  const later = { next: 0, before: null, saved: null, person: null, note: null };
  const waits = task === undefined ? {} : { task: "waits" as const };
  for (const { rule: id, at } of delayed)
    enqueueDelayedRule(tx, { ...start, ...later, ...waits, rules: [{ id, trigger: "after delay" }] }, at);
}

/** TA3 to TA5: a status that a rule has set stays; else the task is over, unless an answer or a later rule is to end it. */
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

/** What became of an automation task is looked at behind the last rule. */
const countSteps = ({ rules, task }: RuleJobPayload): number => rules.length + (task === undefined ? 0 : 1);

/** `saved` null: the rule changed the record, so the next ones see it is. */
async function advanceJob(
  tx: Transaction,
  job: number,
  from: RuleJobPayload,
  to: number,
  more: Partial<Pick<RuleJobPayload, "saved" | "task">> = {},
): Promise<void> {
  const isOver = to >= countSteps(from);
  const moved = isOver
    ? tx.query(deleteJob, [job, from.next])
    : tx.query(updateProgress, [job, from.next, JSON.stringify({ next: to, ...more })]);
  if ((await moved).length === 0) throw new JobOvertaken();
}

/** The changes are undone; that it failed, and why, is kept. */
async function recordFailure(automation: Automation, about: string, job: number, error: unknown): Promise<boolean> {
  const { engine, log } = automation;
  return engine.database
    .transaction(async (tx) => {
      const start = await claimJob(tx, about, job);
      if (typeof start !== "object") return start;
      const now = engine.clock.now();
      // The first rule that may run is the one that did.
      const [rules, chain] = await Promise.all([loadRules(tx, start), CascadeGuard.lock(tx, start, now)]);
      for (let next = start.next; next < start.rules.length; next++) {
        const here = { ...start, next };
        const rule = rules.get(start.rules[next]?.id ?? 0);
        if (rule === undefined || rule.disabled || chain.findRefusal(here, now) !== null) continue;
        const line =
          error instanceof RuleRunFailure ? error.line : buildFailedEntry(automation, here, rule, error, now);
        writeRunLogEntry(tx, line);
        chain.recordRun(here, now);
        chain.save(tx);
        await mailRepeatedFailure(tx, line, now);
        const fails = start.task !== undefined && rule.isLinked;
        await advanceJob(tx, job, start, next + 1, fails ? { task: "failed" } : {});
        return true;
      }
      // Nothing was left but the end of an automation task, which cannot be had like that.
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
  },
});

const buildDroppedEntry = (start: RuleJobPayload, rule: Rule, reason: string, now: Date): RunLogEntry => ({
  ...buildEmptyEntry(start, rule, now),
  outcome: "dropped",
  error: { kind: "limit", message: reason },
});

function buildFailedEntry(
  { log }: Automation,
  start: RuleJobPayload,
  rule: Rule,
  error: unknown,
  now: Date,
): RunLogEntry {
  const told = toRunError(error);
  if (told === null) log.error("an automation rule could not be run", { rule: rule.id, ...describeError(error) });
  return {
    ...buildEmptyEntry(start, rule, now),
    outcome: "failed",
    error: told ?? { kind: "evaluation", message: "the rule could not be run" },
  };
}
