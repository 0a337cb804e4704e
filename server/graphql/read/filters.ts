import type { Field } from "../../../records/vocabulary/index.ts";
import { BadRequest } from "../../base/errors.ts";
import { getGraphForm, getKind } from "../../engine/kinds/index.ts";
import { type Filter, filterClause } from "../../engine/read/filter.ts";
import { buildWordsClause } from "../../engine/search/words-filter.ts";
import { allOf, always, anyOf, type Clause, never } from "../../engine/sql/clauses.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { CallContext } from "../call-context.ts";
import { type FilterMember, pickFilterMembers, pickQueryFields } from "../model/list-arguments.ts";
import { buildCustomFieldClause, type CustomFilter } from "./custom-filters.ts";
import { buildPathClause, negate } from "./path-filters.ts";
import { parseIdOf } from "./record-source.ts";

// Filters of the graph become the comparisons that REST filters are made of.

type FilterInput = { values?: readonly unknown[] | null; negate?: boolean | null } & Partial<
  Record<keyof typeof operators, unknown>
>;
const operators = {
  greaterThan: ">",
  greaterThanOrEqualTo: ">=",
  lessThan: "<",
  lessThanOrEqualTo: "<=",
} as const;

/** Texts that are compared without regard to case, unlike in REST. */
const foldedTexts = new Set(["name", "subject", "primary_email", "supportID"]);

export async function buildFilterClauses(
  context: CallContext,
  type: Type,
  given: Readonly<Record<string, unknown>> | null | undefined,
): Promise<Clause[]> {
  const clauses: Clause[] = [];
  const members = pickFilterMembers(type);
  for (const [name, input] of Object.entries(given ?? {})) {
    if (input === null || input === undefined) continue;
    if (name === "query") clauses.push(buildQueryClause(context, type, input as string));
    else if (name === "customFilters")
      for (const each of input as readonly CustomFilter[])
        clauses.push(await buildCustomFieldClause(context, type, each));
    else {
      const member = members.get(name);
      if (member === undefined) throw new BadRequest(`Unknown filter: ${name}`);
      clauses.push(...buildMemberClauses(context, type, member, input));
    }
  }
  return clauses;
}

/** The search where it covers the type; else every word must occur in one of its texts. */
function buildQueryClause({ by }: CallContext, type: Type, text: string): Clause {
  const fields = pickQueryFields(type);
  if (fields.length === 0) return buildWordsClause(type, by, text);
  const words = text.trim().toLowerCase().split(/\s+/).slice(0, 20);
  if (text.length > 255 || text.includes("\0")) throw new BadRequest("The filter 'query' is not valid");
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  const columns = fields.map((name) => quoteIdentifier(type.columns.get(name) ?? name));
  const contains: Clause = {
    key: `contains ${columns.join(",")}`,
    sql: (alias, next) =>
      `lower(concat_ws(' ', ${columns.map((column) => `${alias}.${column}`).join(", ")})) LIKE ALL (${next()}::text[])`,
    values: [patterns],
  };
  if (!/^\d{1,9}$/.test(text.trim())) return contains;
  const ofId: Clause = { key: "id", sql: (alias, next) => `${alias}.id = ${next()}::integer`, values: [Number(text)] };
  return anyOf([contains, ofId]);
}

function buildMemberClauses(context: CallContext, type: Type, member: FilterMember, input: unknown): Clause[] {
  const filter: FilterInput = typeof input === "object" ? (input as FilterInput) : { values: [input] };
  const clauses: Clause[] = [];
  const via = (build: (target: Type) => Clause): Clause =>
    buildPathClause(context.engine, context.by, type, member.steps, build);
  if (filter.values != null) {
    const negated = filter.negate === true;
    const { texts, hasBlank } = readValues(filter.values);
    // Behind a step, the records with a value are looked for: a row without any has none.
    const found = (each: readonly string[], isBlank: boolean): Clause =>
      member.steps.length === 0
        ? buildValuesClause(context, type, member.field, each, isBlank, negated)
        : buildDistantClause(context, member.field, each, isBlank, negated, via);
    clauses.push(found(texts, hasBlank));
  }
  for (const [name, operator] of Object.entries(operators)) {
    const limit = filter[name as keyof typeof operators];
    if (limit === null || limit === undefined) continue;
    const comparisons = [{ operator, value: String(limit) }];
    clauses.push(
      via((target) =>
        buildComparison(context, target, member.field, { negated: false, blank: false, list: null, comparisons }),
      ),
    );
  }
  return clauses;
}

function readValues(given: readonly unknown[]): { texts: string[]; hasBlank: boolean } {
  const texts = given.filter((value) => value !== null && value !== "").map(String);
  return { texts, hasBlank: given.length === 0 || given.length > texts.length };
}

const buildComparison = ({ by }: CallContext, type: Type, field: string, filter: Omit<Filter, "field">): Clause =>
  filterClause(type, field, { field, ...filter }, by, foldedTexts.has(field));

/** Rows that lead to a record with one of the values, or to none with a value. */
function buildDistantClause(
  context: CallContext,
  field: string,
  texts: readonly string[],
  hasBlank: boolean,
  negated: boolean,
  via: (build: (target: Type) => Clause) => Clause,
): Clause {
  const clauses: Clause[] = [];
  if (texts.length > 0) clauses.push(via((target) => buildValuesClause(context, target, field, texts, false, false)));
  if (hasBlank) clauses.push(negate(via((target) => buildValuesClause(context, target, field, [], true, true))));
  if (clauses.length === 0) return negated ? always : never;
  const any = anyOf(clauses);
  return negated ? negate(any) : any;
}

function buildValuesClause(
  context: CallContext,
  type: Type,
  name: string,
  texts: readonly string[],
  hasBlank: boolean,
  negated: boolean,
): Clause {
  const field = type.fields[name];
  if (field === undefined)
    // A record of another account that is shared with that of the call counts as one of the latter, like in its views.
    return buildAccountClause(type.accountColumn, texts, hasBlank, negated);
  if (isAccountReference(context, field))
    return buildAccountClause(type.columns.get(name) as string, texts, hasBlank, negated);
  const build = (filter: Omit<Filter, "field">): Clause => buildComparison(context, type, name, filter);
  const values = readIds(context, type, field, texts);
  const clauses: Clause[] = hasBlank ? [build({ negated, blank: true, list: null, comparisons: [] })] : [];
  const kind = getKind(field);
  // One value is compared as such: PostgreSQL estimates ten for a set of unknown size, and would replan every call.
  const asSet = kind.filter?.has("set") === true && (values.length > 1 || kind.foldsCase === true);
  if (asSet && values.length > 0) clauses.push(build({ negated, blank: false, list: [...values], comparisons: [] }));
  else
    for (const value of values)
      clauses.push(build({ negated, blank: false, list: null, comparisons: [{ operator: "=", value }] }));
  // An id of another type or installation names no record: nothing matches, and everything matches the negation.
  if (clauses.length === 0) return negated ? always : never;
  return negated ? allOf(clauses) : anyOf(clauses);
}

function isAccountReference({ engine }: CallContext, field: Field): boolean {
  const form = getGraphForm(field);
  return form.is === "reference" && form.targets.every((target) => engine.types.get(target).routes.singleton);
}

/** Accounts are named by a word. */
function buildAccountClause(column: string, texts: readonly string[], hasBlank: boolean, negated: boolean): Clause {
  if (texts.some((text) => text.includes("\0"))) throw new BadRequest("Invalid value for field 'account'");
  const name = quoteIdentifier(column);
  const any: Clause = {
    key: `${name} accounts ${hasBlank}`,
    sql: (alias, next) =>
      `(${alias}.${name} = ANY (${next()}::text[])${hasBlank ? ` OR ${alias}.${name} IS NULL` : ""})`,
    values: [texts],
  };
  return negated ? negate(any) : any;
}

/** NodeIDs as the numbers that the columns hold; those of other types are left out. */
function readIds(
  { domain, engine }: CallContext,
  type: Type,
  field: Field,
  texts: readonly string[],
): readonly string[] {
  const form = getGraphForm(field);
  const names = form.is === "reference" ? form.targets : [];
  const targets = form.is === "id" ? [type] : names.map((name) => engine.types.get(name));
  if (targets.length === 0 || targets.every(({ routes }) => routes.singleton)) return texts;
  return texts.flatMap((text) => {
    for (const target of targets) {
      const id = parseIdOf(text, target, domain, engine.types);
      if (id !== null) return [String(id)];
    }
    return [];
  });
}
