import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listMigrations } from "../../server/schema/migration-files.ts";
import { findMigrationProblems } from "../../server/schema/verify-schema.ts";

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../server/schema/migrations/checksums.json"), "utf8"),
) as Record<string, string>;

test("no released migration was edited, and every one is listed", () => {
  // This fails for a new migration until `npm run draft-migration -- --record` has recorded it.
  expect(Object.fromEntries(listMigrations().map(({ file, checksum }) => [file, checksum]))).toEqual(recorded);
});

test("a migration that was applied with another text, is unknown or was skipped is reported", () => {
  const files = [1, 2, 3].map((number) => ({
    ...{ file: `000${number}-x.sql`, number, name: "x", sql: "" },
    checksum: `sum ${number}`,
  }));
  const applied = (...sums: [number, string][]) => sums.map(([number, checksum]) => ({ number, name: "x", checksum }));
  expect(findMigrationProblems(applied([1, "sum 1"], [2, "sum 2"]), files)).toEqual([]);
  expect(findMigrationProblems(applied([1, "sum 1"], [2, "other"]), files)).toEqual([
    "migration 2 (x) was applied with another text: its checksum is other, not sum 2",
  ]);
  expect(findMigrationProblems(applied([1, "sum 1"], [3, "sum 3"]), files)).toEqual([
    "migration 2 (x) was never applied",
  ]);
  expect(findMigrationProblems(applied([0, "sum 0"], [1, "sum 1"]), files)).toEqual([
    "migration 0 (x) is not part of this program",
  ]);
});
