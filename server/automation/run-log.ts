import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { runOutcome } from "../../records/answers/automation.ts";
import { toTimestamp } from "../base/clock.ts";
import { type Database, statement, type Transaction, type Value } from "../database/database.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import type { RuleEffect } from "./action-context.ts";
import { deleteOldChains } from "./cascade-guard.ts";
import type { FailureKind } from "./language/errors.ts";

// The log of rule runs: X16 and X17.

type RunOutcome = AnswerOf<typeof runOutcome>;

export type RunLogEntry = {
  account: string;
  rule: { id: number; name: string };
  type: string;
  id: number;
  trigger: string;
  chain: string;
  startedAt: Date;
  milliseconds: number;
  person: number | null;
  outcome: RunOutcome;
  expressions: readonly { name: string; value: string }[];
  condition: string | null;
  actions: readonly string[];
  /** not stored */
  effects: readonly RuleEffect[];
  error: { kind: FailureKind | "parse"; message: string } | null;
};

const insert = statement(
  `INSERT INTO automation_runs (account_id, rule_id, rule_name, record_type, record_id, trigger, chain_id, started_at, milliseconds,
  person_id, outcome, expressions, condition, actions, error_kind, error) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

const maxLength = 1024;
export const truncate = (text: string): string =>
  (text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`).replaceAll("\0", "").toWellFormed();

export function writeRunLogEntry(tx: Transaction, run: RunLogEntry): void {
  const { account, rule, type, id, trigger, chain, startedAt, milliseconds, person, outcome, error } = run;
  tx.send(insert, [
    ...[account, rule.id, rule.name, type, id, trigger, chain, startedAt.toISOString(), milliseconds, person, outcome],
    JSON.stringify(run.expressions.map(({ name, value }) => ({ name, value: truncate(value) }))),
    run.condition === null ? null : truncate(run.condition),
    JSON.stringify(run.actions.map(truncate)),
    error?.kind ?? null,
    error === null ? null : truncate(error.message),
  ]);
}

const lastOutcomes = statement(
  "SELECT outcome FROM automation_runs WHERE rule_id = $1 AND account_id = $2 AND outcome IN ('done', 'failed') ORDER BY id DESC LIMIT 21",
);
const administrators = statement(
  `SELECT p.primary_email FROM permissions r JOIN people p ON p.id = r.person_id
WHERE r.account_id = $1 AND r.role = 'account_administrator' AND NOT p.disabled AND p.primary_email IS NOT NULL`,
);
const failuresUntilMail = 20;

/** Only the twentieth failure in a row is mailed to the administrators. */
export async function mailRepeatedFailure(tx: Transaction, run: RunLogEntry, now: Date): Promise<void> {
  const outcomes = (await tx.query(lastOutcomes, [run.rule.id, run.account])).map(([outcome]) => outcome);
  const inARow = outcomes.findIndex((outcome) => outcome !== "failed");
  if (outcomes.length < failuresUntilMail || (inARow === -1 ? outcomes.length : inARow) !== failuresUntilMail) return;
  const subject = `The automation rule "${run.rule.name}" keeps failing`;
  const body = `The automation rule "${run.rule.name}" of the account ${run.account} failed ${failuresUntilMail} times in a row. The last time, for ${run.type} ${run.id}:\n\n${run.error?.message ?? ""}\n\nThe rule is still enabled.`;
  for (const [recipient] of await tx.query(administrators, [run.account]))
    addJob(tx, await storeMail(tx, now, { account: run.account, recipient: recipient as string, subject, body }));
}

const deleteRuns = statement("DELETE FROM automation_runs WHERE started_at < $1");
const retention = 30 * 86_400_000;
export const deleteOldRunsJob = "forget automation runs";

/** A daily job that schedules its next run. */
export async function deleteOldRuns(database: Database, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const before = new Date(now.getTime() - retention);
    tx.send(deleteRuns, [before.toISOString()]);
    deleteOldChains(tx, before);
    scheduleNextCleanup(tx, new Date(now.getTime() + 86_400_000));
  });
}

const selectPlannedJob = statement("SELECT 1 FROM jobs WHERE kind = $1 AND dead_at IS NULL");

export async function scheduleRunCleanup(database: Database, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await tx.query(selectPlannedJob, [deleteOldRunsJob])).length === 0) scheduleNextCleanup(tx, now);
  });
}

function scheduleNextCleanup(tx: Transaction, runAt: Date): void {
  addJob(tx, {
    kind: deleteOldRunsJob,
    key: `daily ${toTimestamp(runAt).slice(0, 10)}`,
    account: null,
    payload: {},
    runAt,
  });
}

export type RunFilter = {
  rule?: number;
  outcome?: RunOutcome;
  record?: { type: string; id: number };
  /** only runs with a smaller id */
  before?: number;
};

const runColumns = `id, rule_id, rule_name, record_type, record_id, trigger, chain_id, started_at, milliseconds, outcome,
  expressions, condition, actions, error_kind, error,
  (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = person_id) AS person`;

/** The newest hundred runs, as JSON. Every combination of filters has an index. */
export async function loadRunsAsJson(database: Database, account: string, filter: RunFilter): Promise<string> {
  const values: Value[] = [account];
  const next = (value: Value) => `$${values.push(value)}`;
  const conditions = ["account_id = $1"];
  if (filter.rule !== undefined) conditions.push(`rule_id = ${next(filter.rule)}`);
  if (filter.outcome !== undefined) conditions.push(`outcome = ${next(filter.outcome)}`);
  if (filter.record !== undefined)
    conditions.push(`record_type = ${next(filter.record.type)} AND record_id = ${next(filter.record.id)}`);
  if (filter.before !== undefined) conditions.push(`id < ${next(filter.before)}`);
  const list = statement(
    `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (
  SELECT ${runColumns} FROM automation_runs WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT 100) x`,
  );
  const [row] = await database.read(list, values);
  return row?.[0] ?? "[]";
}

/** Runs of a rule beyond this number are not counted. */
const maxCounted = 1000;
const countRuns = statement(
  `SELECT coalesce(json_agg(x), '[]') FROM (SELECT a.id AS rule_id, r.runs, r.failures, r.last_run_at
FROM (SELECT id FROM automation_rules WHERE account_id = $1 ORDER BY id DESC LIMIT 500) a, LATERAL (
  SELECT count(*) AS runs, count(*) FILTER (WHERE outcome = 'failed') AS failures, max(started_at) AS last_run_at
  FROM (SELECT outcome, started_at FROM automation_runs WHERE rule_id = a.id AND account_id = $1 ORDER BY id DESC LIMIT ${maxCounted}) newest
  WHERE started_at > $2) r WHERE r.runs > 0) x`,
);

/** How often each rule ran and failed in the last seven days, as JSON. */
export async function countRunsAsJson(database: Database, account: string, now: Date): Promise<string> {
  const [row] = await database.read(countRuns, [account, new Date(now.getTime() - 7 * 86_400_000).toISOString()]);
  return row?.[0] ?? "[]";
}
