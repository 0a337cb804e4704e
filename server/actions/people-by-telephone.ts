import { Forbidden } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { list } from "../engine/list.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import type { Clause } from "../engine/sql/clauses.ts";

// The service desk looks up the person who is calling.

/** Compares digits only: people write numbers with blanks, dashes and brackets. */
const buildTelephoneClause = (digits: string): Clause => ({
  key: "telephone",
  sql: (alias, next) =>
    `${alias}.id IN (SELECT person_id FROM contacts WHERE label IN ('work', 'mobile', 'home') AND telephone IS NOT NULL AND regexp_replace(telephone, '\\D', '', 'g') = ${next()})`,
  values: [digits],
});

export function requireServiceDeskAnalyst(by: Caller): void {
  if (!by.roles.has("service_desk_analyst")) throw new Forbidden();
}

/** The JSON text of each person with that number. */
export async function findPeopleByTelephone(
  engine: Engine,
  by: Caller,
  digits: string,
  query: ListQuery,
): Promise<readonly string[]> {
  const scope = { clause: buildTelephoneClause(digits), rights: "own" } as const;
  return (await list(engine, by, engine.types.get("person"), query, scope)).records;
}
