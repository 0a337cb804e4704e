import { toTimestamp } from "../base/clock.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { type Database, statement, type Transaction } from "../storage/database.ts";
import { forgetChains } from "./chain.ts";
import type { FailureKind } from "./language/problem.ts";

// What every run did: reference, X16 and X17.

export type Outcome = "done" | "not met" | "failed" | "dropped";
export type RunLine = {
  account: string;
  rule: { id: number; name: string };
  type: string;
  id: number;
  trigger: string;
  chain: string;
  startedAt: Date;
  milliseconds: number;
  person: number | null;
  outcome: Outcome;
  expressions: readonly { name: string; value: string }[];
  condition: string | null;
  actions: readonly string[];
  error: { kind: FailureKind | "parse"; message: string } | null;
};

const insert = statement(
  `INSERT INTO automation_runs (account_id, rule_id, rule_name, record_type, record_id, trigger, chain_id, started_at, milliseconds,
  person_id, outcome, expressions, condition, actions, error_kind, error) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

const longest = 1024;
export const cut = (text: string): string =>
  (text.length <= longest ? text : `${text.slice(0, longest)}…`).replaceAll("\0", "").toWellFormed();

export function writeRun(tx: Transaction, run: RunLine): void {
  const { account, rule, type, id, trigger, chain, startedAt, milliseconds, person, outcome, error } = run;
  tx.send(insert, [
    ...[account, rule.id, rule.name, type, id, trigger, chain, startedAt.toISOString(), milliseconds, person, outcome],
    JSON.stringify(run.expressions.map(({ name, value }) => ({ name, value: cut(value) }))),
    run.condition === null ? null : cut(run.condition),
    JSON.stringify(run.actions.map(cut)),
    error?.kind ?? null,
    error === null ? null : cut(error.message),
  ]);
}

const lastOutcomes = statement(
  "SELECT outcome FROM automation_runs WHERE rule_id = $1 AND outcome IN ('done', 'failed') ORDER BY id DESC LIMIT 21",
);
const administrators = statement(
  `SELECT p.primary_email FROM permissions r JOIN people p ON p.id = r.person_id
WHERE r.account_id = $1 AND r.role = 'account_administrator' AND NOT p.disabled AND p.primary_email IS NOT NULL`,
);
const tooMany = 20;

/** The twentieth failure in a row is told to the administrators, those after it are not. */
export async function tellOfFailures(tx: Transaction, run: RunLine, now: Date): Promise<void> {
  const outcomes = (await tx.query(lastOutcomes, [run.rule.id])).map(([outcome]) => outcome);
  const inARow = outcomes.findIndex((outcome) => outcome !== "failed");
  if (outcomes.length < tooMany || (inARow === -1 ? outcomes.length : inARow) !== tooMany) return;
  const subject = `The automation rule "${run.rule.name}" keeps failing`;
  const body = `The automation rule "${run.rule.name}" of the account ${run.account} failed ${tooMany} times in a row. The last time, for ${run.type} ${run.id}:\n\n${run.error?.message ?? ""}\n\nThe rule is still enabled.`;
  for (const [recipient] of await tx.query(administrators, [run.account]))
    addJob(tx, await storeMail(tx, now, { account: run.account, recipient: recipient as string, subject, body }));
}

const forget = statement("DELETE FROM automation_runs WHERE started_at < $1");
const keptFor = 30 * 86_400_000;
export const forgetRunsJob = "forget automation runs";

/** The job of every day; it plans itself. */
export async function forgetRuns(database: Database, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const before = new Date(now.getTime() - keptFor);
    tx.send(forget, [before.toISOString()]);
    forgetChains(tx, before);
    planForgetting(tx, new Date(now.getTime() + 86_400_000));
  });
}

const planned = statement("SELECT 1 FROM jobs WHERE kind = $1");

export async function planForgettingOnce(database: Database, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await tx.query(planned, [forgetRunsJob])).length === 0) planForgetting(tx, now);
  });
}

function planForgetting(tx: Transaction, runAt: Date): void {
  addJob(tx, { kind: forgetRunsJob, key: `daily ${toTimestamp(runAt).slice(0, 10)}`, account: null, payload: {}, runAt });
}

const list = (where: string) =>
  statement(
    `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (SELECT id, rule_id, rule_name, record_type, record_id, trigger, chain_id,
  started_at, milliseconds, outcome, expressions, condition, actions, error_kind, error,
  (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = person_id) AS person
FROM automation_runs WHERE account_id = $1 AND ${where} AND id < coalesce($3::bigint, 9223372036854775807) ORDER BY id DESC LIMIT 100) x`,
  );
const ofRule = list("rule_id = $2");
const ofAccount = list("$2::integer IS NULL");

/** The newest hundred, as JSON; `before`: older ones. */
export async function runsAsJson(
  database: Database,
  account: string,
  rule: number | null,
  before: number | null,
): Promise<string> {
  const [row] = await database.read(rule === null ? ofAccount : ofRule, [account, rule, before]);
  return row?.[0] ?? "[]";
}
