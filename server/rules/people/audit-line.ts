import { auditLine } from "../../../records/journal/audit-line.ts";
import { BadRequest } from "../../base/errors.ts";
import { rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";

// The filters of audit lines: who caused the change, and of which record. Each has an index of its own, because the trail
// of an account grows without limit. Those by changed field and by origin have none: they narrow down what another filter finds, and
// another index would cost every change.

function parseIds(name: string, value: string): number[] {
  const words = value.split(",").map((word) => word.trim());
  if (words.some((word) => !/^\d{1,10}$/.test(word) || Number(word) > 2_147_483_647))
    throw new BadRequest(`Invalid value for field '${name}'`);
  return words.map(Number);
}

const filterByIds =
  (name: string, column: string) =>
  (value: string): Clause => ({
    key: `${column} of`,
    sql: (alias, next) => `${alias}.${column} = ANY (${next()}::integer[])`,
    values: [parseIds(name, value)],
  });

const filterByNames =
  (name: string, test: (alias: string, names: string) => string) =>
  (value: string): Clause => {
    const names = value.split(",").map((word) => word.trim());
    if (names.some((each) => !/^[A-Za-z0-9_]{1,80}$/.test(each)))
      throw new BadRequest(`Invalid value for field '${name}'`);
    return { key: `${name} of`, sql: (alias, next) => test(alias, `${next()}::text[]`), values: [names] };
  };

export const auditLineRules = rulesFor(auditLine, {
  filters: {
    person: filterByIds("person", "created_by_id"),
    record: filterByIds("record", "record_id"),
    audited: filterByNames("audited", (alias, names) => `${alias}.audited = ANY (${names})`),
    origin: filterByNames("origin", (alias, names) => `${alias}.origin ->> 'kind' = ANY (${names})`),
    field: filterByNames("field", (alias, names) => `${alias}.changes ?| ${names}`),
  },
});
