import { expect, test } from "vitest";
import { register } from "../../records/index.ts";
import { deriveSchema } from "../../server/engine/schema/derive-schema.ts";
import { buildPlacements } from "../../server/engine/schema/placement.ts";

// D-660: the keys that a table's placement requires.

const { tables, extras } = deriveSchema(register);
const placements = buildPlacements(register);
const livesWithAccount = (table: string) => placements.get(table)?.placement === "account";

const getAccountColumn = (table: string) => placements.get(table)?.accountColumn ?? "";

const foreignKeyPattern =
  /^ALTER TABLE (\S+) ADD CONSTRAINT \S+ FOREIGN KEY \(([^)]*)\) REFERENCES (\S+) \(([^)]*)\)(.*)$/;
const foreignKeys = extras.flatMap(({ sql }) => {
  const [, table, columns, target, targetColumns, onDelete] = foreignKeyPattern.exec(sql.replaceAll('"', "")) ?? [];
  return table === undefined ? [] : [{ table, columns, target, targetColumns, onDelete } as ForeignKey];
});
type ForeignKey = Record<"table" | "columns" | "target" | "targetColumns" | "onDelete", string>;

test("every table has a placement, and nothing else does", () => {
  expect([...placements.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("every row of a table that lives with its account has the account", () => {
  const without = tables.filter(({ name, columns }) => {
    const account = columns.find((column) => column.name === placements.get(name)?.accountColumn);
    return livesWithAccount(name) && !account?.definition.includes("NOT NULL");
  });
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("no row that lives elsewhere refers to a row that lives with its account", () => {
  expect(foreignKeys.length).toBeGreaterThan(400);
  const refused = foreignKeys.filter(({ table, target }) => !livesWithAccount(table) && livesWithAccount(target));
  expect(refused).toEqual([]);
});

test("references between rows of an account include the account, and PostgreSQL sets none of them to NULL", () => {
  const placed = foreignKeys.filter(({ table, target }) => livesWithAccount(table) && livesWithAccount(target));
  expect(placed.length).toBeGreaterThan(60);
  for (const { table, columns, target, targetColumns, onDelete } of placed) {
    expect([table, columns.split(", ")[1]]).toEqual([table, getAccountColumn(table)]);
    expect([target, targetColumns]).toEqual([target, `id, ${getAccountColumn(target)}`]);
    expect([table, columns, onDelete]).toEqual([table, columns, expect.not.stringContaining("SET NULL")]);
  }
});

test("primary and unique keys of a table that lives with its account include the account", () => {
  const inline = tables.filter(
    ({ name, columns }) =>
      livesWithAccount(name) &&
      columns.some((column) => column.definition.includes("PRIMARY KEY") && column.name !== getAccountColumn(name)),
  );
  expect(inline.map(({ name }) => name)).toEqual([]);
  const keys = extras.flatMap(({ sql, table }) => {
    const [, columns] =
      / PRIMARY KEY \((.*)\)$|^CREATE UNIQUE INDEX \S+ ON \S+ \((.*?)\)(?: WHERE .*)?$/s
        .exec(sql)
        ?.filter((part) => part !== undefined) ?? [];
    return columns === undefined || !livesWithAccount(table) ? [] : [{ table, columns: columns.split(", ") }];
  });
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.filter(({ table, columns }) => !columns.includes(getAccountColumn(table)))).toEqual([]);
  const unique = extras.filter(({ sql, table }) => /^CREATE UNIQUE|PRIMARY KEY/.test(sql) && livesWithAccount(table));
  expect(keys).toHaveLength(unique.length);
});

test("no table has the same index twice", () => {
  const seen = new Map<string, string[]>();
  for (const { kind, name, table, sql } of extras) {
    if (kind !== "index" && !sql.includes("PRIMARY KEY")) continue;
    const keys = sql
      .replace(/^.* PRIMARY KEY /, "")
      .replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ /, "")
      .replace(/ INCLUDE \([^)]*\)/, "");
    seen.set(`${table} ${keys}`, [...(seen.get(`${table} ${keys}`) ?? []), name]);
  }
  expect([...seen].filter(([, names]) => names.length > 1)).toEqual([]);
});
