import { isConflict } from "../postgres/database-errors.ts";
import { defaultPartition } from "../schema/tables/model.ts";
import { systemTables } from "../schema/tables/system-tables.ts";
import { type Database, statement, type Transaction, unnamedStatement } from "./database.ts";

// D-682. The partitions of journals: one for every month, made before the month begins, and dropped as a whole when its last
// row is old enough. Rows of a month without a partition go to the default one, so that no insert ever fails.

/** How many days the rows of a journal are kept at least. */
const keptDays: Readonly<Record<string, number>> = {
  events: 30,
  webhook_deliveries: 30,
  webhook_attempts: 30,
  mails: 90,
};

const day = 86_400_000;
/** A partition is there so long before its month. */
const aheadDays = 10;

export type Journal = { table: string; by: string; storage: string | undefined; days: number };

export const journals: readonly Journal[] = systemTables.tables.flatMap(({ name, partitioning }) => {
  if (partitioning === undefined) return [];
  const days = keptDays[name];
  if (days === undefined) throw new Error(`how long is ${name} kept?`);
  return [{ table: name, by: partitioning.by, storage: partitioning.storage, days }];
});

type Partition = { table: string; name: string; from: Date | null; to: Date | null };

// Seconds; null for MINVALUE and for the default partition.
const bound = (which: "FROM" | "TO") =>
  `extract(epoch FROM substring(pg_get_expr(c.relpartbound, c.oid) FROM '${which} \\(''([^'']+)''\\)')::timestamptz)`;
const selectPartitions = statement(
  `SELECT p.relname, c.relname, ${bound("FROM")}, ${bound("TO")} FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
JOIN pg_class p ON p.oid = i.inhparent WHERE p.oid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) name) AND p.relkind = 'p' ORDER BY 1, 2`,
);

async function loadPartitions(database: Database): Promise<Partition[]> {
  const toDate = (seconds: string | null | undefined) => (seconds == null ? null : new Date(Number(seconds) * 1000));
  const rows = await database.read(selectPartitions, [journals.map(({ table }) => table)]);
  return rows.map(([table, name, from, to]) => ({
    ...{ table: table as string, name: name as string, from: toDate(from), to: toDate(to) },
  }));
}

const beginningOfMonth = (at: Date, months = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));

/** The months that need a partition now, by their beginnings. */
const listMonths = (now: Date): Date[] => {
  const [first, last] = [beginningOfMonth(now), beginningOfMonth(new Date(now.getTime() + aheadDays * day))];
  return first.getTime() === last.getTime() ? [first] : [first, last];
};

const namePartition = (table: string, month: Date): string =>
  `${table}_${month.toISOString().slice(0, 7).replace("-", "_")}`;

/** Creates the partitions of this month and, toward its end, of the next one, and drops expired ones. */
export async function maintainJournals(database: Database, now: Date): Promise<void> {
  const partitions = await loadPartitions(database);
  for (const journal of journals) {
    const own = partitions.filter(({ table }) => table === journal.table);
    for (const month of listMonths(now))
      if (!own.some((each) => covers(each, month))) await addPartition(database, journal, month);
    const limit = new Date(now.getTime() - journal.days * day);
    for (const { name, to } of own) if (to !== null && to <= limit) await dropPartition(database, journal, name);
    await database.change(buildRemoval(journal), [limit.toISOString()]);
  }
}

const covers = ({ name, table, from, to }: Partition, month: Date): boolean =>
  name !== defaultPartition(table) && (from === null || from <= month) && (to === null || to > month);

/** Rows that an older program or a clock jump has left in the default partition are deleted one by one. */
const buildRemoval = ({ table, by }: Journal) => statement(`DELETE FROM ${defaultPartition(table)} WHERE ${by} < $1`);

const isThere = statement("SELECT to_regclass($1) IS NOT NULL");

/**
 * A write to the journal waits briefly, and goes to the right partition afterwards. The month's rows in the default partition
 * move.
 */
async function addPartition(database: Database, journal: Journal, month: Date): Promise<void> {
  const { table, by, storage } = journal;
  const [name, rest] = [namePartition(table, month), defaultPartition(table)];
  const [from, to] = [month, beginningOfMonth(month, 1)].map((each) => `'${each.toISOString()}'`);
  const parameters = storage === undefined ? "" : ` WITH (${storage})`;
  await withTable(database, table, async (tx) => {
    if ((await tx.query(isThere, [name]))[0]?.[0] === "t") return; // another process was faster
    tx.send(
      unnamedStatement(
        `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)${parameters}`,
      ),
    );
    tx.send(
      unnamedStatement(
        `WITH moved AS (DELETE FROM ${rest} WHERE ${by} >= ${from} AND ${by} < ${to} RETURNING *) INSERT INTO ${name} SELECT * FROM moved`,
      ),
    );
    tx.send(unnamedStatement(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`));
  });
}

const dropPartition = (database: Database, { table }: Journal, name: string): Promise<void> =>
  withTable(database, table, async (tx) => tx.send(unnamedStatement(`DROP TABLE IF EXISTS ${name}`)));

/** Waits for readers and writers of the table, but not for long: others would queue behind it. The next run retries. */
async function withTable(database: Database, table: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await database.transaction(async (tx) => {
    tx.send(unnamedStatement("SET LOCAL lock_timeout = '2s'"));
    const lock = unnamedStatement(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const isLocked = await tx
      .savepoint(async (part) => part.query(lock))
      .then(
        () => true,
        (error) => {
          if (isConflict(error)) return false;
          throw error;
        },
      );
    if (isLocked) await work(tx);
  });
}
