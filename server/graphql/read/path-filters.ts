import { buildReadClause, ofReachableAccounts } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { getGraphForm } from "../../engine/kinds/index.ts";
import { resolveLink } from "../../engine/links.ts";
import { buildSharedRows, pickRows } from "../../engine/overlays.ts";
import { always, type Clause } from "../../engine/sql/clauses.ts";
import type { Type, Types } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";

// Filters by a field of other records. Only records that the caller may read count: a filter must not reveal more than a list of
// them would.

/** How a step leads from a row to others: SQL that is true for the rows that `others`, a list of ids, leads to. */
type Step = {
  target: Type;
  /** the rights on the record include those on its children */
  isOwned: boolean;
  key: string;
  /** `rows`: the rows of the target with the alias `other`; `where`: the condition on them; `link`: that on rows of a table between */
  sql(alias: string, other: string, rows: string, where: string, link: string): string;
  /** the rows of a table between both types, where it lives with its account */
  linkRows: Clause;
};

/** The type of the records that a step leads to. */
export function pickStepTarget(types: Types, type: Type, step: string): Type {
  const field = type.fields[step];
  const form = field === undefined ? null : getGraphForm(field);
  const name =
    form?.is === "reference" && type.columns.has(step)
      ? form.targets[0]
      : (type.links[step]?.to ?? type.children[step]?.of ?? type.lists[step]?.of);
  if (name === undefined) throw new Error(`${type.name}.${step} leads to no records`);
  return types.get(name);
}

/** The type whose field a filter compares. */
export const pickPathTarget = (types: Types, type: Type, steps: readonly string[]): Type =>
  steps.reduce((from, step) => pickStepTarget(types, from, step), type);

function resolveStep(engine: Engine, by: Caller, type: Type, name: string): Step {
  const target = pickStepTarget(engine.types, type, name);
  const column = type.columns.get(name);
  if (column !== undefined) {
    const own = quoteIdentifier(column);
    return {
      target,
      isOwned: false,
      key: own,
      sql: (alias, other, rows, where) => `${alias}.${own} IN (SELECT ${other}.id FROM ${rows} WHERE ${where})`,
      linkRows: always,
    };
  }
  if (name in type.links) {
    const { storage } = resolveLink(engine, type, name);
    if ("by" in storage) return buildPointerStep(target, storage.column, false);
    const { table, here, there, livesWithAccount } = storage;
    return {
      target,
      isOwned: false,
      key: `${table}.${here}`,
      sql: (alias, other, rows, where, link) =>
        `${alias}.id IN (SELECT l.${here} FROM ${table} l WHERE ${link} AND l.${there} IN (SELECT ${other}.id FROM ${rows} WHERE ${where}))`,
      linkRows: livesWithAccount ? ofReachableAccounts(by) : always,
    };
  }
  const child = type.children[name];
  const list = type.lists[name];
  const member =
    child === undefined ? (list !== undefined && "by" in list ? list.by : undefined) : (child.by ?? type.name);
  if (member === undefined) throw new Error(`${type.name}.${name} cannot be filtered by`);
  return buildPointerStep(target, target.columns.get(member) ?? `${member}_id`, child !== undefined);
}

const buildPointerStep = (target: Type, column: string, isOwned: boolean): Step => ({
  target,
  isOwned,
  key: `${target.table}.${column}`,
  sql: (alias, other, rows, where) =>
    `${alias}.id IN (SELECT ${other}.${quoteIdentifier(column)} FROM ${rows} WHERE ${where})`,
  linkRows: always,
});

/** The rows from which the steps lead to a record that meets the condition. */
export function buildPathClause(
  engine: Engine,
  by: Caller,
  type: Type,
  [name, ...others]: readonly string[],
  buildCondition: (target: Type) => Clause,
): Clause {
  if (name === undefined) return buildCondition(type);
  const step = resolveStep(engine, by, type, name);
  const { target, linkRows } = step;
  const shared = buildSharedRows(target, by);
  const rows = pickRows(target, shared);
  const readable = buildReadClause(target, by, engine.rules, step.isOwned);
  const inner = buildPathClause(engine, by, target, others, buildCondition);
  return {
    key: `via ${step.key} ${linkRows.key} ${shared?.key ?? ""}[${readable.key}&${inner.key}]`,
    sql(alias, next) {
      const other = `${alias}v`;
      const link = linkRows.sql("l", next);
      const from = rows.sql(other, next);
      const where = `${readable.sql(other, next)} AND ${inner.sql(other, next)}`;
      return step.sql(alias, other, from, where, link);
    },
    values: [...linkRows.values, ...rows.values, ...readable.values, ...inner.values],
  };
}

/** The opposite, which rows without a value meet. */
export const negate = (clause: Clause): Clause => ({
  key: `not ${clause.key}`,
  sql: (alias, next) => `(${clause.sql(alias, next)}) IS NOT TRUE`,
  values: clause.values,
});
