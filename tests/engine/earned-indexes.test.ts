import pg from "pg";
import { expect, test } from "vitest";
import { account, loadData } from "../../bench/load-data.ts";
import { register } from "../../records/index.ts";
import type { Field, RecordType } from "../../records/vocabulary/index.ts";
import { listChoices } from "../../server/engine/kinds/choice.ts";
import { getKind, pickColumn } from "../../server/engine/kinds/index.ts";
import { runMigration } from "../../server/schema/layout/run-migration.ts";
import { quoteIdentifier } from "../../server/schema/tables/model.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// D-580: every save writes to all indexes of its tables, so an index that no list needs slows down all saves. This test reads
// the lists of the fastest-growing tables with every filter, order and view, and asks PostgreSQL which indexes it used.

const requests = 3000;
const { sql, withToken, databaseUrl } = await world({ empty: true });
// A HOT update depends on the changed columns and on room in the page. A low fill factor leaves room in every page, so that only
// the columns decide; otherwise the result would depend on when old row versions are vacuumed.
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
for (const table of ["requests", "affected_slas"])
  await runMigration(client, `ALTER TABLE ${table} SET (fillfactor = 10)`);
await client.end();
const { token } = await loadData(databaseUrl, requests, () => {});
const reader = withToken(token, { account });

const tables = ["requests", "notes", "affected_slas", "audit_lines"];
const types = tables.map((name) => register.find(({ collection }) => collection === name) as RecordType);

const readUpdates = async (table: string): Promise<{ all: number; inPlace: number }> => {
  const [row] = await sql<{ all: string; hot: string }>(
    `SELECT sum(n_tup_upd) AS "all", sum(n_tup_hot_upd) AS hot FROM pg_stat_user_tables
WHERE relid = $1::regclass OR relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)`,
    [table],
  );
  return { all: Number(row?.all), inPlace: Number(row?.hot) };
};

// Connections report their statistics up to ten seconds late. The tables had no updates before these tests, so
// all counted updates are theirs.
async function waitForUpdates(table: string, count: number): Promise<{ all: number; inPlace: number }> {
  await until(async () => (await readUpdates(table)).all >= count, { every: 200 });
  return readUpdates(table);
}

test("updates of cards that a move pushes aside are HOT updates", async () => {
  const make = async (path: string, body: Record<string, unknown>) =>
    ((await reader.post(path, body)).body as { id: number }).id;
  const board = await make("/agile_boards", { name: "Desk", manager_id: 1 });
  const column = await make(`/agile_boards/${board}/agile_board_columns`, { name: "To do", position: 1 });
  const cards = await sql<{ id: number }>(
    "SELECT id FROM requests WHERE status = 'assigned' AND life_cycle = 'active' ORDER BY id DESC LIMIT 10",
  );
  const place = async (id: number, position: number) => {
    const body = { agile_board_id: board, agile_board_column_id: column, agile_board_column_position: position };
    expect((await reader.patch(`/requests/${id}`, body)).status).toBe(200);
  };
  for (const [at, { id }] of cards.entries()) await place(id, at + 1);
  // The lowest card moves to the top and pushes the other nine down. The update of the moved card itself isn't HOT.
  const moves = 8;
  for (let move = 1; move <= moves; move++) await place((cards.at(-move) ?? cards.at(-move + 10))?.id as number, 1);
  const { all, inPlace } = await waitForUpdates("requests", cards.length * (1 + moves));
  expect(inPlace / all).toBeGreaterThan(0.8);
});

test("a status change that affects no target updates its SLAs with HOT updates, without new index entries", async () => {
  const open = await sql<{ id: number }>(
    "SELECT id FROM requests WHERE status = 'assigned' AND life_cycle = 'active' AND impact = 'low' ORDER BY id LIMIT 12",
  );
  for (const status of ["in_progress", "assigned"])
    for (const { id } of open) expect((await reader.patch(`/requests/${id}`, { status })).status).toBe(200);
  const { all, inPlace } = await waitForUpdates("affected_slas", open.length);
  expect(inPlace / all).toBeGreaterThan(0.8);
});

/** Indexes with another purpose than these lists, by a part of their names. */
const reasons: Readonly<Record<string, string>> = {
  _pkey: "records by id",
  _words: "the search",
  _sought_: "hooks find references to a record",
  audit_lines_record: "the history of a record",
  audit_lines_created_by_id: "a person's changes",
  audit_lines_audited: "the changes of a type",
  audit_lines_created_at: "the number of recent changes, on the settings home page",
  notes_account_id: "notes of one of several accounts; with one account, as here, the primary key serves as well",
  "^notes_(?!account|internal|person|created|medium)": "the notes of a record",
  affected_slas_updated_at: "ranges, useful once the table is large",
};
const isExplained = (index: string): boolean => Object.keys(reasons).some((part) => new RegExp(part).test(index));

type Filtered = { column: string; value: string; query: string };

/** Returns rare values for the column of every filterable field, and the list query that filters by each. */
function listFilters(type: RecordType): Filtered[] {
  return type.filterable.flatMap((name): Filtered[] => {
    const field = type.fields[name] as Field;
    const column = pickColumn(name, field);
    if (column === null || name === "id") return [];
    const { meaning, sqlType } = getKind(field);
    const [value, query] =
      field.kind === "enum"
        ? [listChoices(field).at(-1) as string, listChoices(field).at(-1) as string]
        : field.kind === "boolean"
          ? ["true", "true"]
          : meaning === "moment" || field.kind === "target"
            ? ["2020-01-01T00:00:00Z", "<2021-01-01T00:00:00Z"]
            : sqlType === "integer"
              ? ["987654", "987654"]
              : ["rare", "rare"];
    return [{ column, value, query: `${name}=${encodeURIComponent(query)}` }];
  });
}

async function setRareValues(): Promise<void> {
  const updates = types.flatMap((type) =>
    listFilters(type).map(
      ({ column, value }, at) =>
        `UPDATE ${type.collection} SET ${quoteIdentifier(column)} = '${value}' WHERE id % 600 = ${at + 1}`,
    ),
  );
  await sql(["SET session_replication_role = replica", ...updates, "SET session_replication_role = origin"].join("; "));
  for (const table of tables) await sql(`VACUUM ANALYZE ${table}`);
}

function listPaths(type: RecordType): string[] {
  const path = `/${type.collection}`;
  const open = "open" in type.views ? type.sortable.filter((name) => type.fields[name]?.kind === "reference") : [];
  return [
    path,
    ...listFilters(type).map(({ query }) => `${path}?${query}`),
    ...type.sortable.flatMap((name) => [`${path}?sort=${name}`, `${path}?sort=-${name}`]),
    ...Object.keys(type.views).map((view) => `${path}/${view}`),
    ...open.map((name) => `${path}/open?${name}=7`),
  ];
}

const countScans = async (): Promise<{ name: string; scans: number }[]> =>
  (
    await sql<{ name: string; scans: string }>(
      // Scans of partition indexes count for the index of the whole table.
      `SELECT coalesce(c.relname, s.indexrelname) AS name, sum(s.idx_scan) AS scans FROM pg_stat_user_indexes s
LEFT JOIN pg_inherits i ON i.inhrelid = s.indexrelid LEFT JOIN pg_class c ON c.oid = i.inhparent
LEFT JOIN pg_inherits t ON t.inhrelid = s.relid WHERE coalesce(t.inhparent, s.relid) = ANY ($1::text[]::regclass[]::oid[]) GROUP BY 1`,
      [tables],
    )
  ).map(({ name, scans }) => ({ name, scans: Number(scans) }));

test("a list uses every index of the fastest-growing tables, or the index has a reason", async () => {
  await setRareValues();
  const before = new Map((await countScans()).map(({ name, scans }) => [name, scans]));
  for (const type of types)
    for (const path of listPaths(type)) expect((await reader.get(`${path}`)).status, path).toBe(200);
  const findUnused = async () =>
    (await countScans())
      .filter(({ name, scans }) => scans === (before.get(name) ?? 0) && !isExplained(name))
      .map(({ name }) => name)
      .sort();
  await until(async () => (await findUnused()).length === 0, { every: 200, longest: 15_000 }).catch(() => {});
  expect(await findUnused()).toEqual([]);
});
