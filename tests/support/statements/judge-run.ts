import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { buildPlacements } from "../../../server/engine/schema/placement.ts";
import { buildShape } from "./build-shape.ts";
import { type Exception, exceptions, maxExceptionShare } from "./exceptions.ts";
import { judgePlan, type PlacedTable, type PlanNode, type Verdict } from "./judge-plan.ts";
import type { RecordedStatement } from "./record-statements.ts";

// Judges at the end of a run every statement that it sent (record-statements.ts), and fails the run for those that read or
// change a table that lives with its account without naming the account.

type Judged = RecordedStatement & { shape: string; verdict: Verdict; exception: Exception | null };

/** So many shapes are those of the whole suite: a part of it may be about statements that are exceptions. */
const manyShapes = 2000;

export async function judgeRun(databaseUrl: string, folder: string, types: readonly RecordType[]): Promise<void> {
  const recorded = readRecorded(folder);
  if (recorded.size === 0) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const judged: Judged[] = [];
  try {
    const tables = await findPlacedTables(client, types);
    await client.query("SET jit TO off; SET max_parallel_workers_per_gather TO 0");
    const isAboutPlaced = new RegExp(`\\b(?:${[...tables.keys()].join("|")})\\b`);
    for (const [shape, statement] of recorded) {
      if (!isAboutPlaced.test(statement.text)) continue;
      const plan = await explain(client, statement.text);
      if (plan === null) continue;
      const verdict = judgePlan(plan, tables);
      if (verdict.placed.length === 0) continue;
      const exception = exceptions.find((one) => isExcepted(one, shape, statement.origin)) ?? null;
      judged.push({ ...statement, shape, verdict, exception });
    }
  } finally {
    await client.end();
  }
  report(judged);
}

const isExcepted = ({ includes, sentBy }: Exception, shape: string, origin: string): boolean =>
  (includes !== undefined && shape.includes(includes)) || (sentBy !== undefined && origin.startsWith(sentBy));

function readRecorded(folder: string): Map<string, RecordedStatement> {
  const recorded = new Map<string, RecordedStatement>();
  for (const file of readdirSync(folder))
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      if (line === "") continue;
      const statement = JSON.parse(line) as RecordedStatement;
      recorded.set(buildShape(statement.text), statement);
    }
  return recorded;
}

async function findPlacedTables(
  client: pg.Client,
  types: readonly RecordType[],
): Promise<ReadonlyMap<string, PlacedTable>> {
  const tables = new Map<string, PlacedTable>();
  const { rows } = await client.query<{ name: string; column: string; number: number }>(
    `SELECT c.relname AS name, a.attname AS column, a.attnum AS number FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
  );
  for (const [name, { accountColumn }] of buildPlacements(types)) {
    const found = rows.find((row) => row.name === name && row.column === accountColumn);
    if (accountColumn !== null && found !== undefined)
      tables.set(name, { name, accountColumn, accountNumber: found.number });
  }
  return tables;
}

/** Null: the statement is about tables of one test only. */
async function explain(client: pg.Client, text: string): Promise<PlanNode | null> {
  try {
    const bare = text.replace(/^\s*DECLARE .*? CURSOR FOR /s, "");
    const { rows } = await client.query(`EXPLAIN (VERBOSE, GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${bare}`);
    return rows[0]["QUERY PLAN"][0].Plan;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return null;
    throw new Error(`cannot be planned: ${text}`, { cause: error });
  }
}

const describe = ({ text, origin, test, verdict }: Judged): string =>
  [
    `not pinned: ${verdict.unpinned.join(", ")}`,
    `  sent by ${origin}`,
    `  in ${test}`,
    `  ${text.trim().replace(/\s+/g, " ")}`,
  ].join("\n");

function report(judged: readonly Judged[]): void {
  const isPinned = ({ verdict }: Judged) => verdict.unpinned.length === 0;
  const excepted = judged.filter((one) => !isPinned(one) && one.exception !== null);
  const failed = judged.filter((one) => !isPinned(one) && one.exception === null);
  const several = judged.filter((one) => isPinned(one) && one.verdict.hasSeveral);
  const pinned = judged.length - excepted.length - failed.length;
  const summary = `Statements on tables that live with their account: ${judged.length} shapes, ${pinned} pinned (${several.length} of them to several given accounts), ${excepted.length} exceptions, ${failed.length} not pinned`;
  const problems = failed.map(describe);
  if (judged.length >= manyShapes && excepted.length > judged.length * maxExceptionShare)
    problems.push(`more than ${100 * maxExceptionShare} % of the shapes are exceptions`);
  const file = process.env.STATEMENTS;
  if (file !== undefined) {
    const lines = judged.map((one) => JSON.stringify({ ...one, exception: one.exception?.reason ?? null }));
    writeFileSync(file, `${lines.join("\n")}\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
  const shown = problems.length > 0 || file !== undefined ? `${[summary, ...problems].join("\n\n")}\n` : "";
  process.stderr.write(shown === "" ? "" : `\n${shown}`);
}
