import { TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { theService } from "../engine/system.ts";
import { updateWithin } from "../engine/within.ts";
import type { Claim } from "../queue/worker.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { again, noteRun, refusedByChain } from "./chain.ts";
import { type RunLine, tellOfFailures, writeRun } from "./run-log.ts";
import { type Automation, failureOf, type RuleRow, RunFailed, ruleWith, runRule } from "./run-rule.ts";
import { aboutOf, addDelayed, automationJob, type Start } from "./start.ts";

// The job of automation. Jobs about one record are worked off in the order of the saves, one at a time: whoever holds the
// lock of the record takes its oldest job. Every rule is a transaction of its own, in which the job moves on to the next
// rule or ends; so a rule takes effect once, whenever the process dies.

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

class Overtaken extends Error {}

export async function workOff(automation: Automation, payload: Start, claim: Claim): Promise<void> {
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

/** Runs the next rule of a job; false: somebody else is at it. */
async function runNext(automation: Automation, about: string, job: number, attempts: number): Promise<boolean> {
  const { database } = automation.engine;
  try {
    return await database.transaction(async (tx) => {
      const start = await taken(tx, about, job);
      if (typeof start !== "object") return start;
      await step(automation, tx, job, start);
      return true;
    });
  } catch (error) {
    if (error instanceof Overtaken) return true;
    if (error instanceof Unavailable || error instanceof TimedOut) throw error;
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

/** Runs the next rule that may run, and moves the job behind it. */
async function step(automation: Automation, tx: Transaction, job: number, start: Start): Promise<void> {
  const now = automation.engine.clock.now();
  for (let next = start.next; next < start.rules.length; next++) {
    const here = { ...start, next };
    const rule = await ruleWith(tx, start.rules[next]?.id ?? 0, start.account);
    if (rule === null || rule.disabled) continue;
    const refused = await refusedByChain(tx, here, now);
    if (refused === null) return runHere(automation, tx, job, start, here, rule);
    if (refused !== again) writeRun(tx, dropped(here, rule, refused, now));
  }
  await advance(automation, tx, job, start, start.rules.length);
}

async function runHere(automation: Automation, tx: Transaction, job: number, start: Start, here: Start, rule: RuleRow) {
  descents.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const { line, delayed, changedIt, waits } = await runRule(automation, tx, here, rule, automation.engine.clock.now());
  writeRun(tx, line);
  if (line.outcome === "done") noteRun(tx, here, line.startedAt);
  // The job ends before others are planned: a rule may start itself again.
  const came = { ...(changedIt ? { saved: null } : {}), ...(waits ? { waits } : {}) };
  await advance(automation, tx, job, start, here.next + 1, came);
  const { account, type, id: record, chain, depth, gone } = start;
  const about = { account, type, id: record, chain, depth, ...(gone === undefined ? {} : { gone }) };
  const later = { ...about, next: 0, before: null, saved: null, person: null, note: null };
  for (const { rule: id, at } of delayed) addDelayed(tx, { ...later, rules: [{ id, trigger: "after delay" }] }, at);
}

/** `came`: what the rule changes for the next ones. One that changed the record lets them see it as it is. */
async function advance(
  automation: Automation,
  tx: Transaction,
  job: number,
  from: Start,
  to: number,
  came: Partial<Pick<Start, "saved" | "waits" | "failed">> = {},
): Promise<void> {
  const isOver = to >= from.rules.length;
  const more = JSON.stringify({ next: to, ...came });
  const moved = isOver ? tx.query(end, [job, from.next]) : tx.query(moveOn, [job, from.next, more]);
  if ((await moved).length === 0) throw new Overtaken();
  if (isOver) await finishTask(automation, tx, { ...from, ...came });
}

const statusOf = statement("SELECT status FROM tasks WHERE id = $1");

/** lifecycles.md TA2 to TA5. A status that a rule has set is left alone. */
async function finishTask({ engine }: Automation, tx: Transaction, start: Start): Promise<void> {
  const { id, account, assigns, waits, failed } = start;
  if (assigns !== true || (waits === true && failed !== true)) return;
  if ((await tx.query(statusOf, [id]))[0]?.[0] !== "assigned") return;
  descents.set(tx, { chain: start.chain, depth: start.depth + 1 });
  const by = await theService(tx, account, engine.clock.now());
  const status = failed === true ? "failed" : "completed";
  await updateWithin(engine, tx, by, engine.types.named("task"), id, { status }, { account });
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
      for (let next = start.next; next < start.rules.length; next++) {
        const here = { ...start, next };
        const rule = await ruleWith(tx, start.rules[next]?.id ?? 0, start.account);
        if (rule === null || rule.disabled || (await refusedByChain(tx, here, now)) !== null) continue;
        const line = error instanceof RunFailed ? error.line : unexpected(automation, here, rule, error, now);
        writeRun(tx, line);
        noteRun(tx, here, now);
        await tellOfFailures(tx, line, now);
        await advance(automation, tx, job, start, next + 1, { failed: true });
        return true;
      }
      await advance(automation, tx, job, start, start.rules.length);
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
