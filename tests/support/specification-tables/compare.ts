import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { accessWord, allowsKind, describeKind, getDefault } from "./kinds.ts";
import { parseRows, type Row, splitWords, type Table, type Tables } from "./notation.ts";

/** Every record and every reference has it, and no declaration contains it. */
const everywhere = ["nodeID"];
/** Every record has these. If a table lists one of the times, the record has only that one. */
const listCommonFields = (listed: readonly Row[]) =>
  listed.some((row) => row.name === "created_at") ? ["id"] : ["id", "created_at", "updated_at"];

/** The differences between the tables and the register: one readable line each, starting with the type's name. */
export function listDifferences(tables: Tables, register: readonly RecordType[]): string[] {
  const types = new Map(register.map((type) => [type.name, type]));
  const missing = Object.keys(tables).filter((name) => !types.has(name));
  return [
    ...missing.map((name) => `${name}: is not in the register`),
    ...register.flatMap((type) => {
      const table = tables[type.name];
      const lines = table === undefined ? ["has no table"] : compareType(table, type);
      return lines.map((line) => `${type.name}: ${line}`);
    }),
  ];
}

function compareType(table: Table, type: RecordType): string[] {
  const listed = [...parseRows(table.fields), ...parseRows(table.further)].filter(
    (row) => !everywhere.includes(row.name),
  );
  return [
    ...(table.collection === undefined || table.collection === type.collection
      ? []
      : [`collection is \`${type.collection}\`, not \`${table.collection}\``]),
    ...compareFields(listed, type),
    ...compareOrder(parseRows(table.fields), type),
    ...compareDefaultFields(table, listed, type),
    ...compareNames("filter", splitWords(table.filter), type.filterable, type, type.routes.specialFilters),
    ...compareNames("case-insensitive filter", splitWords(table.folded), type.caseInsensitive, type),
    ...compareNames("sort", splitWords(table.sort), type.sortable, type),
    ...(table.order === undefined || table.order === type.sort
      ? []
      : [`default order is \`${type.sort}\`, not \`${table.order}\``]),
    ...compareNames("view", splitWords(table.views), Object.keys(type.views), type),
    ...compareNames("event", splitWords(table.events), type.events, type),
    ...compareSubResources(splitWords(table.below), type),
  ];
}

function compareFields(listed: readonly Row[], type: RecordType): string[] {
  const found = new Set<string>();
  const lines = listed.flatMap((row) => {
    const name = findDeclaredName(row.name, type);
    const field = type.fields[name];
    if (field === undefined || field.internal) return [`field \`${row.name}\` is missing`];
    found.add(name);
    return compareField(row, name, field, type).map((line) => `field \`${row.name}\` ${line}`);
  });
  const unlisted = new Set([...found, ...listCommonFields(listed)]);
  const more = Object.keys(type.fields).filter((name) => !unlisted.has(name) && !type.fields[name]?.internal);
  return [...lines, ...more.map((name) => `field \`${name}\` is in no table`)];
}

function compareField(row: Row, name: string, field: Field, type: RecordType): string[] {
  const lines: string[] = [];
  // The declaration has the reference itself, under the name without _id.
  const kinds = name === row.name ? row.kinds : [...row.kinds, `ref(${"to" in field ? field.to : ""})`];
  if (!kinds.some((kind) => allowsKind(kind, field)))
    lines.push(`is ${describeKind(field)}, not ${row.kinds.join(" or ")}`);

  const access = accessWord[field.access];
  if (!row.access.includes(access)) lines.push(`is ${access}, not ${row.access.join(" or ")}`);

  // Computed and write-only fields have the table's value without a declared default.
  if ((access === "Req" || access === "Opt") && !field.transient) {
    const value = getDefault(type, name, field);
    if (!row.defaults.includes(value))
      lines.push(`has ${describeDefault(value)}, not ${row.defaults.map(describeDefault).join(" or ")}`);
  }

  const selectable = field.selectable !== false && (!field.transient || field.computed !== undefined);
  if (access !== "WO" && row.selectable === (selectable ? "no" : "yes"))
    lines.push(selectable ? "can be named in ?fields=" : "cannot be named in ?fields=");
  return lines;
}

const describeDefault = (value: string | null) => (value === null ? "no default" : `the default ${value}`);

function compareOrder(listed: readonly Row[], type: RecordType): string[] {
  const declared = Object.keys(type.fields);
  const places = listed
    .map((row) => findDeclaredName(row.name, type))
    .filter((name, place, names) => declared.includes(name) && names.indexOf(name) === place);
  const actual = declared.filter((name) => places.includes(name));
  const at = places.findIndex((name, place) => name !== actual[place]);
  return at < 0 ? [] : [`order of fields: \`${actual[at]}\` stands where \`${places[at]}\` belongs`];
}

function compareDefaultFields(table: Table, listed: readonly Row[], type: RecordType): string[] {
  if (table.shown === undefined) return [];
  const all = listed.filter((row) => type.fields[row.name] && !row.access.includes("WO")).map((row) => row.name);
  const named = table.shown === "*" ? all : splitWords(table.shown).filter((name) => !everywhere.includes(name));
  const optional = named.filter((name) => name.startsWith("(")).map((name) => name.slice(1, -1));
  const needed = named.filter((name) => !name.startsWith("("));
  const declared = type.defaultFields.filter((name) => !type.fields[name]?.internal);
  return compareNames("default field", needed, declared, type, [], optional);
}

function compareNames(
  what: string,
  listed: readonly string[],
  declared: readonly string[],
  type: RecordType,
  /** declared elsewhere */
  also: readonly string[] = [],
  /** may be declared */
  optional: readonly string[] = [],
): string[] {
  const names = listed.map((name) => (declared.includes(name) ? name : findDeclaredName(name, type)));
  return [
    ...listed
      .filter((_, place) => ![...declared, ...also].includes(names[place] ?? ""))
      .map((name) => `${what} \`${name}\` is missing`),
    ...[...declared, ...also]
      .filter((name) => !names.includes(name) && !optional.includes(name))
      .map((name) => `${what} \`${name}\` is in no table`),
  ];
}

function compareSubResources(listed: readonly string[], type: RecordType): string[] {
  const declared = new Map([
    ...Object.entries(type.children).map(
      ([name, { allows }]) => [name, allows?.length === 0 ? "list" : "owned"] as const,
    ),
    ...Object.keys(type.links).map((name) => [name, "link"] as const),
    ...Object.keys(type.lists).map((name) => [name, "list"] as const),
  ]);
  const named = new Map(listed.map((entry) => [entry.split("/")[0] ?? "", (entry.split("/")[1] ?? "").split("|")]));
  return [
    ...[...named].flatMap(([name, patterns]) => {
      const pattern = declared.get(name);
      if (pattern === undefined) return [`sub-resource \`${name}\` is missing`];
      return patterns.includes(pattern) ? [] : [`sub-resource \`${name}\` is ${pattern}, not ${patterns.join(" or ")}`];
    }),
    ...[...declared.keys()].filter((name) => !named.has(name)).map((name) => `sub-resource \`${name}\` is in no table`),
  ];
}

/**
 * Finds a field's declared name: `note_id` may be declared as the reference `note`, `predecessor_ids` as the references
 * `predecessors`, and a name that only bodies use as the alias of another field.
 */
function findDeclaredName(name: string, type: RecordType): string {
  if (name in type.fields) return name;
  const short = name.endsWith("_ids") ? `${name.slice(0, -4)}s` : name.endsWith("_id") ? name.slice(0, -3) : name;
  if (short in type.fields) return short;
  const aliased = Object.entries(type.fields).find(([, field]) => "alias" in field && field.alias === short);
  return aliased?.[0] ?? name;
}
