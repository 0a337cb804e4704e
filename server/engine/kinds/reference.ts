import type { Field } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { isInverseReference, linkColumns, referencesTable } from "../../schema/tables/table-names.ts";
import type { Type } from "../declaration/type.ts";
import { andLinkOfAccount, andOfAccount, tableOfAccount } from "../sql/placement.ts";
import {
  equalAndSet,
  type FieldKind,
  type MemberSerializer,
  type NewReferences,
  Refusal,
  type SerializeContext,
  scalar,
  type Value,
} from "./kind.ts";
import { serializeList, serializeOne } from "./member-list.ts";
import { readInteger } from "./number.ts";
import { singular } from "./singular.ts";

export type ReferenceField = Extract<Field, { kind: "reference" }>;
type ReferencesField = Extract<Field, { kind: "references" }>;
type BackReferenceField = Extract<Field, { kind: "backReference" }>;
type ExtensionField = Extract<Field, { kind: "extension" }>;

export const isReference = (field: Field | undefined): field is ReferenceField => field?.kind === "reference";

/** One id: 7, "7" or {"id": 7}. */
export function readId(input: unknown): number {
  const id = unwrapId(input);
  if (typeof id !== "number" && typeof id !== "string") throw new Refusal("is not a valid reference");
  try {
    return readInteger(id, 1);
  } catch {
    throw new Refusal("is not valid");
  }
}

const unwrapId = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? (input as { id?: unknown }).id : input;

const maxEntries = 1000;

const readWordId = (input: unknown): string => scalar(unwrapId(input), "is not a valid reference");

/** The ids that a value names and the stored value does not. */
export function pickNewReferences(
  targets: readonly string[],
  before: Value | undefined,
  after: Value,
  missing = "is not valid",
): NewReferences | null {
  const known = new Set(before == null ? [] : [before].flat());
  const ids = (Array.isArray(after) ? after : [after]).filter((id) => !known.has(id)) as number[];
  return ids.length === 0 ? null : { ids, targets, missing, disabled: "is not valid" };
}

/** Joins are named by their number, in the order in which they are added. */
const nextAlias = (joins: readonly string[]): string => `r${joins.length}`;

/** Joins the record whose id the column holds, and that belongs to the account; returns its alias. */
export function joinById(target: Type, column: string, account: string | null, joins: string[]): string {
  const alias = nextAlias(joins);
  joins.push(`LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}${andOfAccount(target, alias, account)}`);
  return alias;
}

/** The account of the record that a field names; null: it may be another one than that of the row. */
const pickAccount = ({ field, account }: Pick<SerializeContext, "field" | "account">): string | null =>
  field.acrossAccounts ? null : account;

/** The record whose id the column holds, as a reference. */
export const serializeReferenceBy = (context: SerializeContext, target: Type, column: string): MemberSerializer =>
  context.joins === null
    ? selectReference(context, target, {
        rows: tableOfAccount(target, pickAccount(context)),
        where: `t.id = ${column}${andOfAccount(target, "t", pickAccount(context))}`,
        guard: column,
      })
    : context.serializeReference(target, joinById(target, column, pickAccount(context), context.joins), context.joins);

type ReferenceSource = { rows: string; where?: string; guard?: string };

/** The same where nothing is joined. */
function selectReference(
  { serializeReference }: SerializeContext,
  target: Type,
  { rows, where = "true", guard }: ReferenceSource,
): MemberSerializer {
  const joins: string[] = [];
  const record = serializeReference(target, "t", joins);
  return serializeOne(record, `FROM ${rows} t ${joins.join(" ")} WHERE ${where}`, guard);
}

/** The row that a query finds, at most one, as a reference. */
function serializeRow(context: SerializeContext, target: Type, query: string): MemberSerializer {
  const { joins, serializeReference } = context;
  if (joins === null) return selectReference(context, target, { rows: `(${query})` });
  const alias = nextAlias(joins);
  joins.push(`LEFT JOIN LATERAL (${query}) ${alias} ON true`);
  return serializeReference(target, alias, joins);
}

/** The first record of a type that meets a condition, as a reference. */
const serializeFirst = (context: SerializeContext, target: Type, condition: string): MemberSerializer => {
  const ofAccount = andOfAccount(target, "b", context.account);
  const rows = `${tableOfAccount(target, context.account)} b WHERE ${condition}${ofAccount}`;
  return serializeRow(context, target, `SELECT * FROM ${rows} ORDER BY b.id LIMIT 1`);
};

/** The record that was linked first, as a reference. */
function serializeFirstLinked(context: SerializeContext<ReferenceField>, name: string): MemberSerializer {
  const { type, field, from, account, types } = context;
  const target = types.get(field.to);
  const [own, other] = linkColumns(type.name, target.name);
  const links = (type.links[name] as { table: string }).table;
  const table = quoteIdentifier(links);
  const ofAccount = `${andLinkOfAccount([type, target], "l", account)}${andOfAccount(target, "t", account)}`;
  const row = serializeRow(
    context,
    target,
    `SELECT t.* FROM ${table} l JOIN ${tableOfAccount(target, account)} t ON t.id = l.${other} WHERE l.${own} = ${from}.id${ofAccount} ORDER BY l.place LIMIT 1`,
  );
  return { ...row, rowsOf: links };
}

/** At most one of two references with the same id is found. */
const firstFound = (first: MemberSerializer, second: MemberSerializer): MemberSerializer => ({
  columns: [...first.columns, ...second.columns],
  guard: first.guard === second.guard ? first.guard : undefined,
  write(row, at, viewer) {
    const json = first.write(row, at, viewer);
    return json === "null" ? second.write(row, at + first.columns.length, viewer) : json;
  },
});

const listTargets = ({ to, or }: ReferenceField): readonly string[] => (or === undefined ? [to] : [to, or]);

const nameTargets = (field: ReferenceField, nameType: (name: string) => string): string =>
  listTargets(field).map(nameType).join(" or ");

const idBodyName = (name: string): readonly string[] => [`${name}_id`];

export const reference: FieldKind<ReferenceField> = {
  column: "integer",
  defineColumn: (_field, target) => (target?.routes.singleton ? 'text COLLATE "C"' : "integer"),
  hasIdColumn: true,
  foreignKey: ({ to, or }) => (or === undefined ? to : null),
  isCovered: true,
  read: (input, field) => (field.hasWordId ? readWordId(input) : readId(input)),
  bodyNames: idBodyName,
  parse: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  write: (text) => text,
  targets: listTargets,
  newReferences: (field, before, after) => pickNewReferences(listTargets(field), before, after),
  serialize(context) {
    const { field, column, types } = context;
    if (field.firstOfLink !== undefined) return serializeFirstLinked(context, field.firstOfLink);
    const first = serializeReferenceBy(context, types.get(field.to), column);
    return field.or === undefined
      ? first
      : firstFound(first, serializeReferenceBy(context, types.get(field.or), column));
  },
  filter: equalAndSet,
  groups: "values",
  /** A reference sorts by the name that people see. */
  sortKey({ field, column, account, joins, types, displaySqlType }) {
    const names = listTargets(field).map((to) => {
      const target = types.get(to);
      const alias = `s${joins.length}`;
      joins.push(
        `LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}${andOfAccount(target, alias, pickAccount({ field, account }))}`,
      );
      return `${alias}.${quoteIdentifier(target.columns.get(target.display) ?? target.display)}`;
    });
    const expression = names.length === 1 ? (names[0] as string) : `coalesce(${names.join(", ")})`;
    return { expression, nullable: true, sqlType: displaySqlType(types.get(field.to)) };
  },
  graph: (field) => ({ is: "reference", targets: listTargets(field), isWritable: true }),
  sqlType: "integer",
  schema: () => ({}),
  meaning: "record",
  describe: {
    output(field, { types, reference: describeRecord }) {
      const one = describeRecord(types.get(field.to));
      return field.or === undefined ? one : { anyOf: [one, describeRecord(types.get(field.or))] };
    },
    bodyMembers(name, field, { remarks, addRemarks, clearable, referenceInput, nameType }) {
      const short = { type: "integer", minimum: 1, description: `id of ${nameTargets(field, nameType)}` };
      return [
        [`${name}_id`, addRemarks(clearable(short), remarks)],
        [name, { ...clearable(referenceInput()), description: `another way to write \`${name}_id\`` }],
      ];
    },
    filterValues: (field, nameType) => `id of ${nameTargets(field, nameType)}`,
    example: ({ field, types, chosen, reference: makeUp }) => (chosen === null ? null : makeUp(types.get(field.to))),
    exampleInput: (name, _field, value) => [`${name}_id`, (value as { id: number }).id],
  },
  shape: ({ to, or }) => (or === undefined ? { kind: "record", type: to } : { kind: "unknown" }),
  cell: {
    select: ({ field, types, value, nameRecord }) =>
      field.or !== undefined || types.get(field.to).routes.singleton ? value : nameRecord(types.get(field.to)),
    names: ({ or }) => (or === undefined ? "one" : null),
  },
  check({ type, field, types, report, requireType }) {
    requireType(field.to);
    const link = field.firstOfLink === undefined ? undefined : type.links[field.firstOfLink];
    if (field.firstOfLink !== undefined && (link === undefined || !("table" in link) || link.to !== field.to))
      report(`shows the first of "${field.firstOfLink}", which is no link to ${field.to}`);
    if (field.or !== undefined && types.get(field.or)?.storage.sharesIdsWith !== field.to)
      report(`names ${field.to} or ${field.or}, which do not share their ids`);
  },
};

/** The whole list, in any order; an id that is given twice counts once. */
export const references: FieldKind<ReferencesField> = {
  column: null,
  hasOwnTable: true,
  isList: true,
  read(input) {
    const list = Array.isArray(input)
      ? input
      : typeof input === "string"
        ? input.split(",").map((part) => part.trim())
        : null;
    if (list === null) throw new Refusal("is not a valid list");
    if (list.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
    return [...new Set(list.map(readId))].sort((a, b) => a - b);
  },
  readBlank: () => [],
  bodyNames: (name, { plain }) => (plain ? [] : [`${singular(name)}_ids`]),
  parse: (text) => (JSON.parse(text) as number[]).sort((a, b) => a - b),
  empty: () => [],
  write: (text) => text,
  targets: ({ to }) => [to],
  newReferences: ({ to }, before, after) => pickNewReferences([to], before, after),
  serialize: (context) => (context.field.plain ? serializeIds(context) : serializeRecords(context)),
  filter: null,
  graph: ({ to }) => ({ is: "references", target: to }),
  sqlType: "integer[]",
  schema: () => ({}),
  meaning: "records",
  describe: {
    output: (field, { types, reference: describeRecord }) => ({
      type: "array",
      items: field.plain ? { type: "integer" } : describeRecord(types.get(field.to)),
    }),
    bodyMembers(name, { plain }, { remarks, addRemarks, referenceInput }) {
      const ids = plain ? name : `${singular(name)}_ids`;
      const list = { type: "array", items: { type: "integer", minimum: 1 }, description: "replaces the whole list" };
      if (plain) return [[ids, addRemarks(list, remarks)]];
      return [
        [ids, addRemarks(list, remarks)],
        [name, { type: "array", items: referenceInput(), description: `another way to write \`${ids}\`` }],
      ];
    },
    isNeverNull: () => true,
    example({ field, types, id, reference: makeUp }) {
      const target = types.get(field.to);
      return field.plain ? [id(target)] : [makeUp(target)];
    },
    exampleInput: (name, { plain }, value) =>
      plain ? [name, value] : [`${singular(name)}_ids`, (value as { id: number }[]).map(({ id }) => id)],
  },
  shape: ({ to }) => ({ kind: "list", of: { kind: "record", type: to } }),
  cell: {
    selectLinked: ({ type, name, field, types, nameLinked }) =>
      isInverseReference(type, name) ? null : nameLinked(types.get(field.to), referencesTable(type.name, name)),
    names: () => "several",
  },
  check: ({ field, requireType }) => void requireType(field.to),
};

function serializeIds(context: SerializeContext<ReferencesField>): MemberSerializer {
  const { type, name, field, from, account, types } = context;
  const [own, other] = linkColumns(type.name, field.to);
  const table = quoteIdentifier(referencesTable(type.name, name));
  const ofAccount = andLinkOfAccount([type, types.get(field.to)], "l", account);
  return {
    columns: [
      `(SELECT json_agg(l.${other} ORDER BY l.${other}) FROM ${table} l WHERE l.${own} = ${from}.id${ofAccount})`,
    ],
    write: (row, at) => row[at] ?? "[]",
  };
}

function serializeRecords(context: SerializeContext<ReferencesField>): MemberSerializer {
  const { type, name, field, from, account, types, serializeReference } = context;
  const target = types.get(field.to);
  const link = type.links[name];
  const ofAccount = andOfAccount(target, "t", account);
  const [own, other] = linkColumns(type.name, target.name);
  const joins: string[] = [];
  const record = serializeReference(target, "t", joins);
  const source =
    link !== undefined && "by" in link
      ? `FROM ${tableOfAccount(target, account)} t ${joins.join(" ")} WHERE t.${quoteIdentifier(target.columns.get(link.by) as string)} = ${from}.id${ofAccount}`
      : `FROM ${quoteIdentifier(referencesTable(type.name, name))} l JOIN ${tableOfAccount(target, account)} t ON t.id = l.${other} ${joins.join(" ")} WHERE l.${own} = ${from}.id${andLinkOfAccount([type, target], "l", account)}${ofAccount}`;
  return serializeList([record], source, "t.id", (json) => json);
}

/** The record of another type whose reference points here. */
export const backReference: FieldKind<BackReferenceField> = {
  column: null,
  read: readId,
  bodyNames: idBodyName,
  parse: Number,
  write: (text) => text,
  serialize(context) {
    const { field, from, types } = context;
    const target = types.get(field.from);
    const column = quoteIdentifier(target.columns.get(field.field) ?? field.field);
    return serializeFirst(context, target, `b.${column} = ${from}.id`);
  },
  filter: equalAndSet,
  graph: ({ from }) => ({ is: "reference", targets: [from], isWritable: false }),
  sqlType: "integer",
  schema: () => ({}),
  describe: {
    output: (field, { types, reference: describeRecord }) => describeRecord(types.get(field.from)),
    example: ({ field, types, reference: makeUp }) => makeUp(types.get(field.from)),
  },
  shape: ({ from }) => ({ kind: "record", type: from }),
  related: ({ from, field: by }) => ({ of: from, by, isSingle: true, isOwned: false }),
  cell: null,
  check({ field, types, report, requireType }) {
    if (requireType(field.from) && types.get(field.from)?.fields[field.field] === undefined)
      report(`names ${field.from}.${field.field}, which does not exist`);
  },
};

/** The enabled record of a category that has an active version: it applies to all records of the account. */
export const extension: FieldKind<ExtensionField> = {
  column: null,
  read: readId,
  bodyNames: idBodyName,
  parse: Number,
  write: (text) => text,
  serialize(context) {
    const { type, field, from, types } = context;
    const target = types.get(field.to);
    const version = quoteIdentifier(target.columns.get("active_version") ?? "active_version_id");
    const applies = `b.category = '${field.category.replaceAll("'", "''")}' AND b.disabled IS NOT TRUE AND b.${version} IS NOT NULL`;
    return serializeFirst(context, target, `b.account_id = ${from}.${type.accountColumn} AND ${applies}`);
  },
  filter: equalAndSet,
  graph: ({ to }) => ({ is: "reference", targets: [to], isWritable: false }),
  sqlType: "integer",
  schema: () => ({}),
  describe: {
    output: (field, { types, reference: describeRecord }) => describeRecord(types.get(field.to)),
    example: ({ field, types, reference: makeUp }) => makeUp(types.get(field.to)),
  },
  cell: null,
  check({ field, types, report }) {
    for (const needed of ["category", "disabled", "active_version"])
      if (types.get(field.to)?.fields[needed] === undefined)
        report(`needs ${field.to}.${needed}, which does not exist`);
  },
};
