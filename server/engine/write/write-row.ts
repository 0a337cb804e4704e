import type { Field } from "../../../records/vocabulary/index.ts";
import { type Batch, type Value as SqlValue, type Statement, statement } from "../../database/database.ts";
import { markTable } from "../../schema/layout/account-tables.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { overlayTable } from "../../schema/tables/table-names.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { Value } from "../kinds/kind.ts";
import type { RecordOperation } from "../operation.ts";
import type { Values } from "../rules.ts";
import { incrementRevision } from "../schema/revision.ts";
import type { Type } from "../types.ts";
import { sameValue } from "./compare.ts";

// Writing stored values: the row of a record, its overlay, and the tables of its lists of references.

/** A value as a parameter of a statement. */
export const toSqlValue = (field: Field, value: Value | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  return getKind(field).isJson ? JSON.stringify(value) : (value as SqlValue);
};

/** Takes the next id of a type; some types share the sequence of another one. */
export function nextIdStatement({ statements, types }: Engine, type: Type): Statement {
  const { collection } = type.storage.sharesIdsWith === null ? type : types.get(type.storage.sharesIdsWith);
  const select = `SELECT nextval('${quoteIdentifier(`${collection}_id_seq`)}')`;
  const buildBatch = (): Batch => ({
    statement: statement(`${select} FROM generate_series(1, $1::integer)`),
    groupKey: () => "",
    mergeValues: (calls) => [calls.length],
    distribute: (rows) => rows.map((row) => [row]),
  });
  return statements.get(`${type.name}#id`, () => select, buildBatch);
}

/** Writes the row of a new record and its lists of references. */
export function insertRow(operation: RecordOperation, after: Values): void {
  const { engine, tx, type, id, account } = operation;
  const names = () => ["id", "account_id", ...type.storedColumns.map(([, column]) => column)];
  const columnList = () => names().map(quoteIdentifier).join(", ");
  const insert = (table: string) => `INSERT INTO ${table} (${columnList()})`;
  const build = () =>
    `${insert(markTable(type.ownTable, "$2"))} VALUES (${names()
      .map((_, index) => `$${index + 1}`)
      .join(", ")})`;
  const buildBatch = () =>
    buildBatchWrite(type, names(), (rows) => `${insert(type.ownTable)} SELECT ${columnList()} FROM ${rows}`);
  const values: SqlValue[] = [id, account];
  // Most columns of a new record are empty.
  for (const [name] of type.storedColumns) {
    const value = after[name];
    values.push(value == null ? null : toSqlValue(type.fields[name] as Field, value));
  }
  tx.send(engine.statements.get(`${type.name}#insert`, build, buildBatch), values);
  writeReferences(operation, null, after);
}

/** Counts a change that wrote no column, such as the second note within a second. */
export function countChange({ engine, tx, type, id, account }: RecordOperation): void {
  const build = () =>
    `UPDATE ${markTable(type.ownTable, "$2")} SET ${incrementRevision} WHERE id = $1 AND account_id = $2`;
  if (type.hasRevision) tx.send(engine.statements.get(`${type.name}#count change`, build), [id, account]);
}

/** Writes the columns that differ; whether there were any. `participant`: the account whose overlay gets the values of fields per account. */
export function writeChangedColumns(
  operation: RecordOperation,
  before: Values,
  after: Values,
  participant: string | null = null,
): boolean {
  const { type, account } = operation;
  const columns = type.storedColumns.filter(
    ([name]) => type.storage.bidirectional !== null || !sameValue(type.fields[name], before[name], after[name]),
  );
  if (participant === null) updateColumns(operation, type.ownTable, "id", columns, after);
  else {
    const inOverlay = ([name]: readonly [string, string]) => type.sharing.perAccount.includes(name);
    const shared = columns.filter((column) => !inOverlay(column));
    updateColumns(operation, type.ownTable, "id", shared, after);
    const overlay = { ...operation, account: participant, owner: account };
    updateColumns(overlay, overlayTable(type), `${type.name}_id`, columns.filter(inOverlay), after);
  }
  writeReferences(operation, before, after);
  return columns.length > 0;
}

/** `owner`: the account that the record of an overlay belongs to. */
function updateColumns(
  { engine, tx, type, id, account, owner }: RecordOperation & { owner?: string },
  table: string,
  key: string,
  columns: Type["storedColumns"],
  after: Values,
): void {
  if (columns.length === 0) return;
  const counts = type.hasRevision && columns.some(([name]) => !type.fields[name]?.internal);
  const build = () => {
    const set = columns.map(([, column], index) => `${quoteIdentifier(column)} = $${index + 3}`);
    if (counts) set.push(incrementRevision);
    const ofOwner = owner === undefined ? "" : ` AND home_account_id = $${columns.length + 3}`;
    return `UPDATE ${owner === undefined ? markTable(table, "$2") : table} SET ${set.join(", ")} WHERE ${key} = $1 AND account_id = $2${ofOwner}`;
  };
  const buildBatch = () => {
    const assigned = columns.map(([, column]) => `${quoteIdentifier(column)} = g.${quoteIdentifier(column)}`);
    const set = [...assigned, ...(counts ? ["revision = a.revision + 1"] : [])].join(", ");
    const names = ["id", "account_id", ...columns.map(([, column]) => column)];
    const where = "a.id = g.id AND a.account_id = g.account_id";
    return buildBatchWrite(type, names, (rows) => `UPDATE ${table} a SET ${set} FROM ${rows} g WHERE ${where}`);
  };
  const statementKey = `${table}#update#${columns.map(([name]) => name).join(",")}`;
  const built = engine.statements.get(statementKey, build, table === type.ownTable ? buildBatch : undefined);
  const values = columns.map(([name]) => toSqlValue(type.fields[name] as Field, after[name]));
  tx.send(built, [id, account, ...values, ...(owner === undefined ? [] : [owner])]);
}

function writeReferences({ tx, type, id, account }: RecordOperation, before: Values | null, after: Values): void {
  for (const { name, field, table, ownColumn, otherColumn } of type.referenceLists) {
    if (sameValue(field, before?.[name] ?? [], after[name] ?? [])) continue;
    const ids = (after[name] ?? []) as readonly number[];
    tx.send(
      statement(
        `DELETE FROM ${table} WHERE account_id = $1 AND ${ownColumn} = $2 AND ${otherColumn} <> ALL ($3::integer[])`,
      ),
      [account, id, ids],
    );
    tx.send(
      statement(
        `INSERT INTO ${table} (account_id, ${ownColumn}, ${otherColumn}) SELECT $1, $2, unnest($3::integer[]) ON CONFLICT DO NOTHING`,
      ),
      [account, id, ids],
    );
  }
}

/** One statement for the same write of several records: their rows travel as one JSON text. */
function buildBatchWrite(type: Type, names: readonly string[], sql: (rows: string) => string): Batch {
  const toJson = buildRowsToJson(type, names);
  return {
    statement: statement(sql(`json_populate_recordset(NULL::${type.ownTable}, $1::json)`)),
    groupKey: () => "",
    mergeValues: (calls) => [toJson(calls)],
    distribute: () => [],
  };
}

/** Columns that hold JSON are inserted as they are; nulls are left out. */
function buildRowsToJson(type: Type, names: readonly string[]): (calls: readonly (readonly SqlValue[])[]) => string {
  const jsonColumns = new Set(
    [...type.columns].filter(([name]) => getKind(type.fields[name] as Field).isJson).map(([, column]) => column),
  );
  const isJson = names.map((name) => jsonColumns.has(name));
  const members = names.map((name) => `${JSON.stringify(name)}:`);
  const toObject = (values: readonly SqlValue[]) => {
    let text = "";
    for (const [at, value] of values.entries())
      if (value !== null)
        text += `${text === "" ? "" : ","}${members[at]}${isJson[at] ? value : JSON.stringify(value)}`;
    return `{${text}}`;
  };
  return (calls) => `[${calls.map(toObject).join(",")}]`;
}
