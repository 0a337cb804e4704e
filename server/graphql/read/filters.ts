import type { Field } from "../../../records/vocabulary/index.ts";
import { BadRequest } from "../../base/errors.ts";
import { getGraphForm, getKind } from "../../engine/kinds/index.ts";
import { type Filter, filterClause } from "../../engine/read/filter.ts";
import { buildWordsClause } from "../../engine/search/words-filter.ts";
import { allOf, always, anyOf, type Clause, never } from "../../engine/sql/clauses.ts";
import type { Type } from "../../engine/types.ts";
import type { CallContext } from "../call-context.ts";
import { pickFilterMembers } from "../model/list-arguments.ts";
import { buildCustomFieldClause, type CustomFilter } from "./custom-filters.ts";
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

/** Texts that are compared without regard to case, whatever REST does. */
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
    if (name === "query") clauses.push(buildWordsClause(type, context.by, input as string));
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

function buildMemberClauses(context: CallContext, type: Type, member: string, input: unknown): Clause[] {
  const build = (filter: Omit<Filter, "field">): Clause =>
    filterClause(type, member, { field: member, ...filter }, context.by, foldedTexts.has(member));
  const compare = (operator: Filter["comparisons"][number]["operator"], value: unknown, negated = false): Clause =>
    build({ negated, blank: false, list: null, comparisons: [{ operator, value: String(value) }] });
  if (typeof input !== "object") return [compare("=", input)];
  const filter = input as FilterInput;
  const clauses: Clause[] = [];
  if (filter.values != null) clauses.push(buildValuesClause(context, type, member, filter, build));
  for (const [name, operator] of Object.entries(operators)) {
    const limit = filter[name as keyof typeof operators];
    if (limit !== null && limit !== undefined) clauses.push(compare(operator, limit));
  }
  return clauses;
}

function buildValuesClause(
  context: CallContext,
  type: Type,
  member: string,
  filter: FilterInput,
  build: (filter: Omit<Filter, "field">) => Clause,
): Clause {
  const field = type.fields[member] as Field;
  const negated = filter.negate === true;
  const given = filter.values ?? [];
  const texts = given.filter((value) => value !== null && value !== "").map(String);
  const values = readIds(context, type, field, texts);
  const blank = () => build({ negated, blank: true, list: null, comparisons: [] });
  const clauses: Clause[] = given.length === 0 || given.length > texts.length ? [blank()] : [];
  const takesSets = getKind(field).filter?.has("set") === true;
  if (takesSets && values.length > 0)
    clauses.push(build({ negated, blank: false, list: [...values], comparisons: [] }));
  else
    for (const value of values)
      clauses.push(build({ negated, blank: false, list: null, comparisons: [{ operator: "=", value }] }));
  // An id of another type or installation names no record: nothing matches, and everything matches the negation.
  if (clauses.length === 0) return negated ? always : never;
  return negated ? allOf(clauses) : anyOf(clauses);
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
