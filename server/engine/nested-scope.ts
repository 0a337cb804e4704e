import { quoteIdentifier } from "../schema/tables/model.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { buildLinkedClause, type ResolvedLink } from "./links.ts";
import type { RowScope } from "./list.ts";
import type { Clause } from "./sql/clauses.ts";
import { conditionClause } from "./sql/conditions.ts";
import type { Type } from "./types.ts";

// The rows of a list below a record: linked records, owned children, read-only lists.

/** The rows whose column holds the id. */
export const buildPointerClause = (column: string, id: number): Clause => ({
  key: `${column} here`,
  sql: (alias, next) => `${alias}.${quoteIdentifier(column)} = ${next()}`,
  values: [id],
});

export const buildLinkScope = (ends: ResolvedLink, id: number, by: Caller): RowScope => ({
  clause: buildLinkedClause(ends, id, by),
  rights: "own",
});

export function buildChildScope({ types }: Engine, type: Type, name: string, id: number): RowScope {
  const declared = type.children[name];
  if (declared === undefined) throw new Error(`${type.name} has no children "${name}"`);
  const by = declared.by ?? type.name;
  const column = types.get(declared.of).columns.get(by) ?? `${by}_id`;
  return { clause: buildPointerClause(column, id), rights: "of the parent" };
}

/** Whether the list exists for that record (`unless`) is up to the caller. */
export function buildListScope({ types, rules }: Engine, by: Caller, type: Type, name: string, id: number): RowScope {
  const declared = type.lists[name];
  if (declared === undefined) throw new Error(`${type.name} has no list "${name}"`);
  const target = types.get(declared.of);
  const clause =
    "by" in declared
      ? buildPointerClause(target.columns.get(declared.by) ?? `${declared.by}_id`, id)
      : conditionClause(target, declared.where, by, rules, id);
  return { clause, rights: "own" };
}
