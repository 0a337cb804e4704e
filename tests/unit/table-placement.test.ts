import { expect, test } from "vitest";
import { register } from "../../records/index.ts";
import { deriveSchema } from "../../server/engine/schema/derive-schema.ts";
import { buildPlacements } from "../../server/engine/schema/placement.ts";

// D-660: what the placement of a table demands of its keys.

const { tables, extras } = deriveSchema(register);
const placements = buildPlacements(register);
const livesWithAccount = (table: string) => placements.get(table)?.placement === "account";

const foreignKeys = extras.flatMap(({ sql }) => {
  const match = /^ALTER TABLE (\S+) ADD CONSTRAINT \S+ FOREIGN KEY \(([^)]*)\) REFERENCES (\S+) \(([^)]*)\)(.*)$/.exec(sql);
  if (match === null) return [];
  const [, table, columns, target, targetColumns, onDelete] = match.map((part) => part.replaceAll('"', ""));
  return [{ table, columns, target, targetColumns, onDelete } as Record<string, string>];
});

test("every table has a placement, and nothing else has", () => {
  expect([...placements.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("a table that lives with its account has the account in every row", () => {
  const without = tables.filter(({ name, columns }) => {
    const account = columns.find((column) => column.name === placements.get(name)?.accountColumn);
    return livesWithAccount(name) && !account?.definition.includes("NOT NULL");
  });
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("nothing that lives elsewhere refers to a row that lives with its account", () => {
  expect(foreignKeys.length).toBeGreaterThan(400);
  const refused = foreignKeys.filter(({ table, target }) => !livesWithAccount(table as string) && livesWithAccount(target as string));
  expect(refused).toEqual([]);
});
