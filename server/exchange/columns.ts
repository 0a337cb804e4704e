import { deriveLabel, fieldLabel, languages } from "../../records/languages/index.ts";
import { type Field, opt, refs } from "../../records/vocabulary/index.ts";
import type { Caller } from "../engine/caller.ts";
import { getKind } from "../engine/kinds/index.ts";
import { andLinkOfAccount, andOfAccount } from "../engine/sql/placement.ts";
import type { Type, Types } from "../engine/types.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { linkColumns } from "../schema/tables/table-names.ts";
import { formatCell } from "./cells.ts";
import { type ExchangeType, findParents } from "./exchange-types.ts";
import { buildKeyWithAccountSql, buildSharedWithSql } from "./natural-keys.ts";

// Derives the columns of a file from the declaration of its record type: one per stored field, named by its label, and one
// per link.

export type Column = {
  name: string;
  field: Field;
  header: string;
  /** SQL of the cell text, given the alias of the row; null: the column can be imported only */
  sql: ((row: string) => string) | null;
  /** the cell lists linked records */
  isLink?: true;
};

/** `primary_email` becomes "Primary Email". Headers are the same in every language, so that files are interchangeable. */
const buildHeader = (name: string): string =>
  deriveLabel(name).replace(/(^|\s)(\p{Ll})/gu, (_, blank: string, letter: string) => blank + letter.toUpperCase());

/** All columns that the files of a type may have. */
export function buildColumns(types: Types, exchangeType: ExchangeType): Column[] {
  const { type } = exchangeType;
  const parents = new Set(findParents(types, exchangeType).map(({ field }) => field));
  const columns: Column[] = [];
  const taken = new Set<string>();
  const add = (name: string, rest: Omit<Column, "name" | "header">) => {
    const label = buildHeader(name);
    const header = taken.has(label.toLowerCase()) ? name : label;
    taken.add(header.toLowerCase());
    columns.push({ name, header, ...rest });
  };
  for (const [name, field] of Object.entries(type.fields)) {
    const isIncluded = parents.has(name) || name === "created_at" || name === "updated_at";
    if (getKind(field).cell === null || (field.internal && !isIncluded)) continue;
    const sql = buildColumnSql(types, type, name, field);
    if (sql === null && !field.transient) continue;
    add(name, { field, sql });
  }
  for (const [name, link] of Object.entries(type.links))
    if ("table" in link && !(name in type.fields))
      add(name, { field: opt(refs(link.to)), sql: buildLinkSql(type, types.get(link.to), link.table), isLink: true });
  return columns;
}

/** SQL of the linked records, one per line. */
function buildLinkSql(type: Type, target: Type, table: string): (row: string) => string {
  const [one, other] = linkColumns(type.name, target.name);
  return (row) => {
    const account = `${row}.account_id`;
    const ofAccount = andLinkOfAccount([type, target], "l", account);
    return `(SELECT string_agg(${buildKeyWithAccountSql(target, "r", account)}, E'\\n' ORDER BY r.id) FROM ${quoteIdentifier(table)} l JOIN ${target.table} r ON r.id = l.${other} WHERE l.${one} = ${row}.id${ofAccount} AND ${buildSharedWithSql(target, "r", account)})`;
  };
}

function buildColumnSql(types: Types, type: Type, name: string, field: Field): Column["sql"] {
  const link = type.links[name];
  if (link !== undefined && "table" in link) return buildLinkSql(type, types.get(link.to), link.table);
  if (field.transient) return null;
  const cell = getKind(field).cell ?? {};
  const context = {
    ...{ type, name, field, types },
    nameLinked: (target: Type, table: string) => buildLinkSql(type, target, table),
  };
  if (cell.selectLinked !== undefined) return cell.selectLinked(context);
  if (field.access === "writeonly") return null;
  const column = type.columns.get(name);
  if (column === undefined) return null;
  const value = (row: string) => `${row}.${quoteIdentifier(column)}`;
  const nameRecord = (target: Type) => (row: string) =>
    `(SELECT ${buildKeyWithAccountSql(target, "r", `${row}.account_id`)} FROM ${target.table} r WHERE r.id = ${value(row)}${andOfAccount(target, "r", field.acrossAccounts ? null : `${row}.account_id`)})`;
  return cell.select?.({ ...context, value, nameRecord }) ?? value;
}

/** Leaves out columns that the caller may not read. */
export const pickExportColumns = (types: Types, exchangeType: ExchangeType, by: Caller): Column[] =>
  buildColumns(types, exchangeType).filter(
    ({ sql, field }) =>
      sql !== null && (field.confidential === undefined || field.confidential.roles.some((role) => by.roles.has(role))),
  );

/** The fields that the columns of a file are read as, by header; null skips a column. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The header of the column in which an error file says what is wrong: an import skips it. */
export const errorsHeader = "Errors";

/** Maps the headers of a file to columns: as the mapping says, else by label in any language or by field name. */
export function matchHeaders(
  types: Types,
  exchangeType: ExchangeType,
  headers: readonly string[],
  mapping: Mapping = {},
): { columns: (Column | null)[]; unknown: string[]; twice: string[] } {
  const byName = new Map<string, Column | null>();
  const register = (word: string, column: Column | null) => {
    const key = word.trim().toLowerCase();
    if (!byName.has(key)) byName.set(key, column);
  };
  const allColumns = buildColumns(types, exchangeType);
  for (const column of allColumns) register(column.header, column);
  for (const column of allColumns) register(column.name, column);
  for (const code of Object.keys(languages))
    for (const column of allColumns) register(fieldLabel(code, column.name), column);
  // Fields that cannot be imported are skipped, and so is a column of older files.
  if ("custom_fields" in exchangeType.type.fields) register("Custom Data", null);
  for (const name of Object.keys(exchangeType.type.fields))
    if (!exchangeType.type.fields[name]?.internal) register(buildHeader(name), null);
  register(errorsHeader, null);
  const columns = headers.map((word) => {
    if (!Object.hasOwn(mapping, word)) return byName.get(word.trim().toLowerCase());
    return mapping[word] === null ? null : allColumns.find(({ name }) => name === mapping[word]);
  });
  const named = columns.filter((column) => column != null);
  return {
    columns: columns.map((column) => column ?? null),
    unknown: headers.filter((_, index) => columns[index] === undefined),
    twice: headers.filter(
      (_, index) => columns[index] != null && named.indexOf(columns[index]) !== named.lastIndexOf(columns[index]),
    ),
  };
}

export const formatCells = (columns: readonly Column[], row: readonly (string | null)[], at = 0): string[] =>
  columns.map(({ field }, index) => formatCell(field, row[at + index]));
