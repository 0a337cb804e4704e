import { TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { loadServiceCaller } from "../engine/system.ts";
import { lockActiveValues, updateUnchecked } from "../engine/within.ts";
import type { JobClaim } from "../queue/worker.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { again, Chain } from "./chain.ts";
import { type RunLine, tellOfFailures, writeRun } from "./run-log.ts";
import { type Automation, failureOf, RunFailed, rulesOf, runRule } from "./run-rule.ts";
import { aboutOf, addDelayed, automationJob, type Start } from "./start.ts";

// The job of automation. Jobs about one record are worked off in the order of the saves, one at a time: whoever holds the
// lock of the record takes its oldest job. A transaction runs rules, one after the other, and moves the job behind them; so
// a rule takes effect once, whenever the process dies. One that fails is undone with those before it, which run again in a
// transaction without it.

/** What the changes made in a transaction descend from. */
type Descent = { chain: string; depth: number };
const descents = new WeakMap<Transaction, Descent>();
export const descentOf = (tx: Transaction): Descent | undefined => descents.get(tx);

// One that was put back still comes before those of later saves; a delayed one has a key, and its time.
const oldest = statement(
  `SELECT id FROM jobs WHERE kind = '${automationJob}' AND about = $1 AND (key IS NULL OR run_at <= $2) ORDER BY id LIMIT 1`,
);
const lock = statement("SELECT pg_try_advisory_xact_lock(hashtext('automation'), hashtext($1))");
const payloadOf = statement("SELECT payload FROM jobs WHERE id = $1");
const moveOn = statement(
  "UPDATE jobs SET payload = payload || $3::jsonb WHERE id = $1 AND (payload->>'next')::integer = $2 RETURNING 1",
);
const end = statement("DELETE FROM jobs WHERE id = $1 AND (payload->>'next')::integer = $2 RETURNING 1");
const postpone = statement(
  "UPDATE jobs SET leased_until = clock_timestamp() + interval '200 milliseconds', fence = fence + 1, attempts = 0 WHERE id = $1 AND fence = $2",
);

const mostAttempts = 8;
/** milliseconds after which a transaction lets others at the record again */
const longEnough = 200;

class Overtaken extends Error {}

export async function workOff(automation: Automation, payload: Start, claim: JobClaim): Promise<void> {
  const { database, clock } = automation.engine;
  const about = aboutOf(payload);
  for (;;) {
    const [row] = await database.read(oldest, [about, clock.now().toISOString()]);
    if (row === undefined) return;
    if (await runNext(automation, about, Number(row[0]), claim.attempts)) continue;
    await database.read(postpone, [claim.id, claim.fence]);
    return;
  }
}

/** Runs the next rules of a job, at most so many; false: somebody else is at it. */
async function runNext(
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
      const start = await taken(tx, about, job);
      if (typeof start !== "object") return start;
      await steps(automation, tx, job, start, () => ++ran < most);
      atTheEnd = true;
      return true;
    });
  } catch (error) {
    if (error instanceof Overtaken) return true;
    if (error instanceof Unavailable || error instanceof TimedOut) throw error;
    // Those before the one that failed were undone with it: they run again, and then are safe. What the database refuses
    // only when all is written down was done by one of them: it is found by running fewer.
    const fewer = atTheEnd ? Math.floor(ran / 2) : ran;
    if (fewer > 0) return runNext(automation, about, job, attempts, fewer);
    // What is not the fault of the rule is tried again, as every job is, before it counts against it.
    if (!(error instanceof RunFailed) && failureOf(error) === null && attempts < mostAttempts) throw error;
    return keepFailure(automation, about, job, error);
  }
}

/** The job, under the lock of its record. True: it is done already, false: the record is being worked on. */
async function taken(tx: Transaction, about: string, job: number): Promise<Start | boolean> {
  if ((await tx.query(lock, [about]))[0]?.[0] !== "t") return false;
  const [row] = await tx.query(payloadOf, [job]);
  return row === undefined ? true : (JSON.parse(row[0] as string) as Start);
}

/** Runs the rules that may run, one after the other, and moves the job behind the last of them. */
async function steps(automation: Automation, tx: Transaction, job: number, start: Start, goesOn: () => boolean) {
  const { clock } = automation.engine;
  const begun = Date.now();
  if (start.next >= start.rules.length) {
    await endTask(automation, tx, start, clock.now());
    return advance(tx, job, start, stepsOf(start));
  }
  descents.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const [rules, chain] = await Promise.all([rulesOf(tx, start), Chain.enter(tx, start, clock.now())]);
  const delayed: { rule: number; at: Date }[] = [];
  let here = start;
  for (let more = true; more && here.next < start.rules.length; here = { ...here, next: here.next + 1 }) {
    const now = clock.now();
    const rule = rules.get(start.rules[here.next]?.id ?? 0);
    if (rule === undefined || rule.disabled) continue;
    const refused = chain.refuses(here, now);
    if (refused !== null) {
      if (refused !== again) writeRun(tx, dropped(here, rule, refused, now));
      continue;
    }
    const came = await runRule(automation, tx, here, rule, now);
    writeRun(tx, came.line);
    if (came.line.outcome === "done") chain.note(here, now);
    delayed.push(...came.delayed);
    const waits = start.task !== undefined && here.task === "done" && (came.called || came.delayed.length > 0);
    here = { ...here, ...(came.changedIt ? { saved: null } : {}), ...(waits ? { task: "waits" } : {}) };
    more = goesOn() && Date.now() - begun < longEnough;
  }
  chain.store(tx);
  // The job ends before others are planned: a rule may start itself again.
  const { saved, task } = here;
  await advance(tx, job, start, here.next, { saved, ...(task === undefined ? {} : { task }) });
  const later = { next: 0, before: null, saved: null, person: null, note: null };
  const waits = task === undefined ? {} : { task: "waits" as const };
  for (const { rule: id, at } of delayed)
    addDelayed(tx, { ...start, ...later, ...waits, rules: [{ id, trigger: "after delay" }] }, at);
}

/** TA3 to TA5: a status that a rule has set stays; else the task is over, unless an answer or a later rule is to end it. */
async function endTask({ engine }: Automation, tx: Transaction, start: Start, now: Date): Promise<void> {
  const type = engine.types.get(start.type);
  const status = start.task === "failed" ? "failed" : "completed";
  if (start.task === "waits" || (await lockActiveValues(engine, tx, type, start.id, start.account))?.status !== "assigned")
    return;
  descents.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const by = await loadServiceCaller(tx, start.account, now);
  await updateUnchecked(engine, tx, by, type, start.id, { status }, { account: start.account });
}

/** What became of an automation task is looked at behind the last rule. */
const stepsOf = ({ rules, task }: Start): number => rules.length + (task === undefined ? 0 : 1);

/** `saved` null: the rule changed the record, so the next ones see it is. */
async function advance(
  tx: Transaction,
  job: number,
  from: Start,
  to: number,
  more: Partial<Pick<Start, "saved" | "task">> = {},
): Promise<void> {
  const isOver = to >= stepsOf(from);
  const moved = isOver
    ? tx.query(end, [job, from.next])
    : tx.query(moveOn, [job, from.next, JSON.stringify({ next: to, ...more })]);
  if ((await moved).length === 0) throw new Overtaken();
}

/** The changes are undone; that it failed, and why, is kept. */
async function keepFailure(automation: Automation, about: string, job: number, error: unknown): Promise<boolean> {
  const { engine, log } = automation;
  return engine.database
    .transaction(async (tx) => {
      const start = await taken(tx, about, job);
      if (typeof start !== "object") return start;
      const now = engine.clock.now();
      // The first rule that may run is the one that did.
      const [rules, chain] = await Promise.all([rulesOf(tx, start), Chain.enter(tx, start, now)]);
      for (let next = start.next; next < start.rules.length; next++) {
        const here = { ...start, next };
        const rule = rules.get(start.rules[next]?.id ?? 0);
        if (rule === undefined || rule.disabled || chain.refuses(here, now) !== null) continue;
        const line = error instanceof RunFailed ? error.line : unexpected(automation, here, rule, error, now);
        writeRun(tx, line);
        chain.note(here, now);
        chain.store(tx);
        await tellOfFailures(tx, line, now);
        const fails = start.task !== undefined && rule.isLinked;
        await advance(tx, job, start, next + 1, fails ? { task: "failed" } : {});
        return true;
      }
      // Nothing was left but the end of an automation task, which cannot be had like that.
      if (start.next >= start.rules.length) log.error("an automation task could not be ended", describeError(error));
      await advance(tx, job, start, start.next >= start.rules.length ? stepsOf(start) : start.rules.length);
      return true;
    })
    .catch((failure) => {
      if (failure instanceof Overtaken) return true;
      log.error("a failed automation rule could not be logged", describeError(failure));
      throw failure;
    });
}

type Rule = { id: number; name: string };

const emptyLine = (start: Start, { id, name }: Rule, now: Date): Omit<RunLine, "outcome" | "error"> => ({
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

const dropped = (start: Start, rule: Rule, reason: string, now: Date): RunLine => ({
  ...emptyLine(start, rule, now),
  outcome: "dropped",
  error: { kind: "limit", message: reason },
});

function unexpected({ log }: Automation, start: Start, rule: Rule, error: unknown, now: Date): RunLine {
  const told = failureOf(error);
  if (told === null) log.error("an automation rule could not be run", { rule: rule.id, ...describeError(error) });
  return {
    ...emptyLine(start, rule, now),
    outcome: "failed",
    error: told ?? { kind: "evaluation", message: "the rule could not be run" },
  };
}
