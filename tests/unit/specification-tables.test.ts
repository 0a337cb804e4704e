import { describe, expect, test } from "vitest";
import { register } from "../../records/index.ts";
import type { Field, RecordType } from "../../records/vocabulary/index.ts";
import { acceptedDifferences, openDifferences } from "../support/specification-tables/accepted-differences.ts";
import { listDifferences } from "../support/specification-tables/compare.ts";
import { parts, tables } from "../support/specification-tables/index.ts";
import type { Tables } from "../support/specification-tables/notation.ts";

// The register contains every row of the specification and the reference, and no others.

const excuses = [...Object.keys(acceptedDifferences), ...openDifferences];
const lines = listDifferences(tables, register);
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
  const compareSite = (change: Partial<RecordType>) =>
    listDifferences(part, [{ ...site, ...change }]).filter((line) => !isExcused(line));

  const withField = (change: RecordType["fields"]) => ({ fields: { ...site.fields, ...change } });
  const withoutField = (name: string) =>
    Object.fromEntries(Object.entries(site.fields).filter(([field]) => field !== name));
  const { name } = site.fields as { name: Field };

  // biome-ignore format: a table keeps its columns
  test.each<[string, Partial<RecordType>, string | null]>([
    ["no difference",    {},                                                                          null],
    ["a lost field",     { fields: withoutField("remarks") },                                         "field `remarks` is missing"],
    ["an extra field",   withField({ colour: { kind: "boolean", access: "optional" } }),              "field `colour` is in no table"],
    ["a limit",          withField({ name: { ...name, kind: "string", max: 128 } }),                  "field `name` is string(128), not string(80)"],
    ["a kind",           withField({ zip: { kind: "integer", min: 0, max: 9, access: "optional" } }), "field `zip` is integer(9), not string(20)"],
    ["an access",        withField({ name: { ...name, access: "optional" } }),                        "field `name` is Opt, not Req"],
    ["a default",        withField({ disabled: { kind: "boolean", access: "optional" } }),            "field `disabled` has no default, not the default false"],
    ["a hidden field",   withField({ name: { ...name, selectable: false } }),                         "field `name` cannot be named in ?fields="],
    ["a field moved up", { fields: { name, ...withoutField("name") } },                               "order of fields: `name` stands where `id` belongs"],
    ["a lost filter",    { filterable: site.filterable.filter((filter) => filter !== "source") },     "filter `source` is missing"],
    ["a folded filter",  { caseInsensitive: ["name"] },                                               "case-insensitive filter `name` is in no table"],
    ["an extra sort",    { sortable: [...site.sortable, "city"] },                                    "sort `city` is in no table"],
    ["another order",    { sort: "-id" },                                                             "default order is `-id`, not `name`"],
    ["an extra view",    { views: { ...site.views, mine: { fields: {} } } },                          "view `mine` is in no table"],
    ["an extra event",   { events: ["create"] },                                                      "event `create` is in no table"],
    ["another pattern",  { lists: { slas: { of: "sla", by: "name" } }, children: { people: { of: "person" } } }, "sub-resource `people` is owned, not list"],
    ["a collection",     { collection: "places" },                                                    "collection is `places`, not `sites`"],
  ])("%s", (_, change, line) => {
    expect(compareSite(change)).toEqual(line === null ? [] : [`site: ${line}`]);
  });
});
