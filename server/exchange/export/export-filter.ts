import { unnamedStatement } from "../../database/database.ts";
import { buildReadClause } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { allOf, type Clause, oneOfAccounts } from "../../engine/sql/clauses.ts";
import { conditionClause } from "../../engine/sql/conditions.ts";
import { type Query, writeQuery } from "../../engine/sql/query.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { type ExchangeType, findParents } from "../exchange-types.ts";

/** The records of the caller's account, and of no other, that the caller may read. */
export function buildExportFilter(engine: Engine, by: Caller, exchangeType: ExchangeType, since: Date | null): Clause {
  const { type, ownerType, where } = exchangeType;
  const clauses: Clause[] = [oneOfAccounts(type.accountColumn, [by.account]), buildReadClause(type, by, engine.rules)];
  const simple = (key: string): Clause => ({ key, sql: (alias) => `${alias}.${key}`, values: [] });
  if (type.deletion.archivable !== null) clauses.push(simple("life_cycle = 'active'"));
  if (ownerType !== null)
    clauses.push(simple(`${quoteIdentifier(`${findParents(engine.types, exchangeType)[0]?.field}_id`)} IS NOT NULL`));
  if (where !== null) clauses.push(conditionClause(type, where, by, engine.rules));
  if (since !== null && "updated_at" in type.fields)
    clauses.push({
      key: "since",
      sql: (alias, next) => `${alias}.updated_at >= ${next()}`,
      values: [since.toISOString()],
    });
  return allOf(clauses);
}

/** `build` makes the statement around the condition. */
export function buildFilteredStatement(clause: Clause, build: (where: string) => string): Query {
  const { text, values } = writeQuery({ where: clause }, ({ where }) => build(where));
  return { statement: unnamedStatement(text), values };
}
