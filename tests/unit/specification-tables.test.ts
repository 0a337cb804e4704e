import { describe, expect, test } from "vitest";
import { register } from "../../records/index.ts";
import type { Field, RecordType } from "../../records/vocabulary/index.ts";
import { acceptedDifferences, openDifferences } from "../support/specification-tables/accepted-differences.ts";
import { differences } from "../support/specification-tables/compare.ts";
import { parts, tables } from "../support/specification-tables/index.ts";
import type { Tables } from "../support/specification-tables/notation.ts";

// The register contains every row of the specification and the reference, and no others.

const excuses = [...Object.keys(acceptedDifferences), ...openDifferences];
const lines = differences(tables, register);
const isExcused = (line: string) => excuses.some((excuse) => line.startsWith(excuse));

test("a record type has one table", () => {
  const names = parts.flatMap((part) => Object.keys(part));
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

describe("the register matches the tables", () => {
  const names = new Set([...Object.keys(tables), ...register.map((type) => type.name)]);
  test.each([...names])("%s", (name) => {
    expect(lines.filter((line) => line.startsWith(`${name}:`) && !isExcused(line))).toEqual([]);
  });
});

test("an excuse that is no longer needed must be removed", () => {
  expect(excuses.filter((excuse) => !lines.some((line) => line.startsWith(excuse)))).toEqual([]);
});

describe("the comparison detects", () => {
  const site = register.find((type) => type.name === "site") as RecordType;
  const part: Tables = { site: tables.site ?? {} };
  const seen = (change: Partial<RecordType>) =>
    differences(part, [{ ...site, ...change }]).filter((line) => !isExcused(line));

  const changed = (change: RecordType["fields"]) => ({ fields: { ...site.fields, ...change } });
  const lost = (name: string) => Object.fromEntries(Object.entries(site.fields).filter(([field]) => field !== name));
  const { name } = site.fields as { name: Field };

  // biome-ignore format: a table keeps its columns
  test.each<[string, Partial<RecordType>, string | null]>([
    ["no difference",     {},                                                                        null],
    ["a lost field",      { fields: lost("remarks") },                                               "field `remarks` is missing"],
    ["an extra field",    changed({ colour: { kind: "boolean", access: "optional" } }),              "field `colour` is in no table"],
    ["a limit",           changed({ name: { ...name, kind: "string", max: 128 } }),                  "field `name` is string(128), not string(80)"],
    ["a kind",            changed({ zip: { kind: "integer", min: 0, max: 9, access: "optional" } }), "field `zip` is integer(9), not string(20)"],
    ["an access",         changed({ name: { ...name, access: "optional" } }),                        "field `name` is Opt, not Req"],
    ["a default",         changed({ disabled: { kind: "boolean", access: "optional" } }),            "field `disabled` has no default, not the default false"],
    ["a hidden field",    changed({ name: { ...name, selectable: false } }),                         "field `name` cannot be named in ?fields="],
    ["a field moved up",  { fields: { name, ...lost("name") } },                                     "order of fields: `name` stands where `id` belongs"],
    ["a lost filter",     { filterable: site.filterable.filter((filter) => filter !== "source") },   "filter `source` is missing"],
    ["a folded filter",   { caseInsensitive: ["name"] },                                             "case-insensitive filter `name` is in no table"],
    ["an extra sort",     { sortable: [...site.sortable, "city"] },                                  "sort `city` is in no table"],
    ["another order",     { sort: "-id" },                                                           "default order is `-id`, not `name`"],
    ["an extra view",     { views: { ...site.views, mine: { fields: {} } } },                        "view `mine` is in no table"],
    ["an extra event",    { events: ["create"] },                                                    "event `create` is in no table"],
    ["another pattern",   { lists: { slas: { of: "sla", by: "name" } }, children: { people: { of: "person" } } }, "sub-resource `people` is owned, not list"],
    ["a collection",      { collection: "places" },                                                  "collection is `places`, not `sites`"],
  ])("%s", (_, change, line) => {
    expect(seen(change)).toEqual(line === null ? [] : [`site: ${line}`]);
  });
});
