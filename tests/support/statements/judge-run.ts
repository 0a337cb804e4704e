import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import pg from "pg";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { buildPlacements } from "../../../server/engine/schema/placement.ts";
import { buildShape } from "./build-shape.ts";
import { type Exception, exceptions, maxExceptionShare } from "./exceptions.ts";
import { judgePlan, type PartitionColumns, type PlacedTable, type PlanNode, type Verdict } from "./judge-plan.ts";
import type { RecordedStatement } from "./record-statements.ts";

// At the end of a run, checks every recorded statement (record-statements.ts). Two kinds fail the run: statements that read or
// change a table that lives with its account without naming the account, and statements that choose partitions while they lock
// rows. With PARTITIONS, plans hide some conditions behind the choice of partitions, so runs without partitions check whether
// those statements name the account.

type Judged = RecordedStatement & { shape: string; verdict: Verdict; exception: Exception | null };

/** A run with this many shapes is the whole suite. A part of it needn't contain all exceptions' statements. */
const manyShapes = 2000;

/** The run's failures are printed before this and must stay visible, so the list is short; STATEMENTS names a file for all of it. */
const longestText = 160;
const mostProblems = 20;

/** The number of statements planned in parallel. */
const connections = 2;

export async function judgeRun(
  databaseUrl: string,
  folder: string,
  types: readonly RecordType[],
  isDivided: boolean,
): Promise<void> {
  const recorded = readRecorded(folder);
  if (recorded.size === 0) return;
  const begin = performance.now();
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const judged: Judged[] = [];
  const unplanned: string[] = [];
  try {
    const tables = await findPlacedTables(clients[0] as pg.Client, types);
    const partitionColumns = await findPartitionColumns(clients[0] as pg.Client);
    const isAboutPlaced = new RegExp(`\\b(?:${[...tables.keys()].join("|")})\\b`);
    const queue = [...recorded].filter(([, { text }]) => isAboutPlaced.test(text)).values();
    const judgeNext = async (client: pg.Client): Promise<void> => {
      await client.query("SET jit TO off; SET max_parallel_workers_per_gather TO 0");
      for (const [shape, statement] of queue) {
        const plan = await explain(client, statement.text);
        if (typeof plan === "string") unplanned.push(`cannot be planned (${plan}): ${shorten(statement.text)}`);
        if (plan === null || typeof plan === "string") continue;
        const verdict = judgePlan(plan, tables, partitionColumns);
        if (verdict.placed.length === 0) continue;
        const exception = exceptions.find((one) => isExcepted(one, shape, statement.origin)) ?? null;
        judged.push({ ...statement, shape, verdict, exception });
      }
    };
    await Promise.all(clients.map(judgeNext));
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  report(judged, unplanned, isDivided, `judged in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
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
  // The plan names a table's partitions instead of the table.
  const { rows } = await client.query<{ name: string; table: string; column: string; number: number }>(
    `SELECT c.relname AS name, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS table, a.attname AS column, a.attnum AS number
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname IN ('account_id', 'home_account_id')`,
  );
  const placements = buildPlacements(types);
  for (const { name, table, column, number } of rows)
    if (placements.get(table)?.accountColumn === column)
      tables.set(name, { name: table, accountColumn: column, accountNumber: number, isPartition: name !== table });
  return tables;
}

async function findPartitionColumns(client: pg.Client): Promise<PartitionColumns> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text) AS columns
     FROM pg_class c CROSS JOIN pg_partition_ancestors(c.oid) above
     JOIN pg_partitioned_table p ON p.partrelid = above.relid
     JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = ANY (p.partattrs)
     WHERE c.relispartition AND c.relkind = 'r' GROUP BY c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns null if the statement uses a test's own tables, or a text that says why it can't be planned. */
async function explain(client: pg.Client, text: string): Promise<PlanNode | string | null> {
  try {
    const bare = text.replace(/^\s*DECLARE .*? CURSOR FOR /s, "");
    const { rows } = await client.query(`EXPLAIN (VERBOSE, GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${bare}`);
    return rows[0]["QUERY PLAN"][0].Plan;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return null;
    return (error as Error).message;
  }
}

const describe = ({ text, origin, test, verdict }: Judged): string =>
  `not pinned: ${verdict.unpinned.join(", ")}; ${describeSender({ text, origin, test })}`;

const describeChoice = ({ text, origin, test, verdict }: Judged): string =>
  `chooses partitions while it locks rows: ${verdict.chosenPartitions.join(", ")}; ${describeSender({ text, origin, test })}`;

const describeSender = ({ text, origin, test }: RecordedStatement): string =>
  `sent by ${origin || basename(test)}: ${shorten(text)}`;

const shorten = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= longestText ? line : `${line.slice(0, longestText)} …`;
};

function report(judged: readonly Judged[], unplanned: readonly string[], isDivided: boolean, effort: string): void {
  const isPinned = ({ verdict }: Judged) => verdict.unpinned.length === 0;
  const excepted = judged.filter((one) => !isPinned(one) && one.exception !== null);
  const failed = judged.filter((one) => !isPinned(one) && one.exception === null);
  const several = judged.filter((one) => isPinned(one) && one.verdict.hasSeveral);
  const pinned = judged.length - excepted.length - failed.length;
  const share = ((100 * excepted.length) / Math.max(judged.length, 1)).toFixed(1);
  const summary = `Statements on tables that live with their account: ${judged.length} shapes, ${pinned} pinned (${several.length} of them to several given accounts), ${excepted.length} exceptions (${share} %), ${failed.length} not pinned; ${effort}`;
  const choosing = judged.filter(({ verdict }) => verdict.chosenPartitions.length > 0);
  const problems = [...choosing.map(describeChoice), ...(isDivided ? [] : failed.map(describe)), ...unplanned];
  if (judged.length >= manyShapes && excepted.length > judged.length * maxExceptionShare)
    problems.push(`more than ${100 * maxExceptionShare} % of the shapes are exceptions`);
  const file = process.env.STATEMENTS;
  if (file !== undefined) {
    const lines = judged.map((one) => JSON.stringify({ ...one, exception: one.exception?.reason ?? null }));
    writeFileSync(file, `${lines.join("\n")}\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
  const isShown = problems.length > 0 || judged.length >= manyShapes || file !== undefined;
  const hidden = problems.length > mostProblems ? [`… and ${problems.length - mostProblems} more`] : [];
  if (isShown) process.stderr.write(`\n${[summary, ...problems.slice(0, mostProblems), ...hidden].join("\n")}\n`);
}
