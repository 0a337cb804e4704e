import type { Row, Transaction } from "../../database/database.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import type { Operation, RecordOperation } from "../operation.ts";
import { buildSharedRows, pickRows, recordAccountColumn, type SharedRows } from "../overlays.ts";
import type { RowSerializer } from "../read/serializer.ts";
import type { Values } from "../rules.ts";
import type { Fragment } from "../sql/clauses.ts";
import { compareWithValue, tableOfAccount } from "../sql/placement.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";
import type { Body } from "./input.ts";

/** `existing`: the create meant a record that exists, which was updated instead */
export type SaveResult = {
  id: number;
  /** the account that the record belongs to */
  account: string;
  json: string;
  /** null where the type counts none, or no response is needed */
  revision: number | null;
  ignored: readonly string[];
  existing?: true;
};
/** The known values of a save before its record is read back. */
export type SavedRecord = Omit<SaveResult, "json" | "revision">;

/**
 * The result of a save with the saved record, which the same transaction reads back. The function that this returns is called
 * after the commit, which travels with the statement and does not wait for its answer. `stored`: what the row was given.
 */
export function respond(
  { engine, tx, by, type }: Operation,
  saved: SavedRecord,
  body: Body,
  revealed: Values,
  stored?: StoredRecord,
): () => Promise<SaveResult> {
  if (body.skipResponse) return async () => ({ ...saved, json: "", revision: null });
  const loading =
    (stored === undefined ? null : loadWithoutEmpty({ engine, tx, by, type, ...saved }, stored)) ??
    loadSavedRecord(engine, tx, by, type, saved);
  loading.catch(() => {}); // a failure surfaces at the commit
  return async () => {
    const { json, revision } = (await loading) ?? (await loadCommittedRecord(engine, by, type, saved));
    return { ...saved, json: appendMembers(json, revealed), revision };
  };
}

/** `isNew`: the transaction has made the record, and everything that belongs to it. */
export type StoredRecord = { values: Values; isNew?: true };
type LoadedRecord = { json: string; revision: number | null };

/**
 * The record as JSON, by a statement without the references that are empty: PostgreSQL prepares each of them at every call,
 * and most are empty. The promise holds null when one of them has a value after all, because a hook gave it another. A new record
 * also does without rows of other tables, such as files, where its transaction has written none. Null: the statement does
 * not exist.
 */
function loadWithoutEmpty(
  { engine, tx, by, type, id, account }: RecordOperation,
  { values, isNew }: StoredRecord,
): Promise<LoadedRecord | null> | null {
  if (pickSharedRows(type, by, account) !== null) return null;
  const { references, others } = engine.serializer.listPlannedMembers(type);
  const empty = references.filter((name) => values[name] == null);
  if (isNew) for (const { name, rowsOf } of others) if (tx.mayHaveWritten?.(rowsOf) === false) empty.push(name);
  const names = empty.join();
  const shape = engine.serializer.forRecordWithout(type, empty, names);
  if (shape === null) return null;
  const parts = { id: value(id), ofAccount: buildAccountPart(type, account), rows: pickRows(type, null) };
  const query = engine.statements.prepare(`${type.name}#saved without ${names}`, parts, (sql) =>
    buildSavedText(type, shape, sql, "account_id"),
  );
  return tx.query(query.statement, query.values).then(([row]) => {
    if (shape.leftOut.some((at) => row?.[at + 1] != null)) return null;
    return { json: shape.write(row as Row, 1, by), revision: parseRevision((row as Row)[0]) };
  });
}

type SavedSql = { rows: string; id: string; ofAccount: string | null };

/** `column`: the one with the account of the record */
function buildSavedText(type: Type, shape: RowSerializer, { id, rows, ofAccount }: SavedSql, column: string): string {
  const from = ofAccount === null || column !== "account_id" ? rows : `${tableOfAccount(type, ofAccount)} a`;
  const text = `SELECT ${selectRevision(type)}, ${shape.columns.join(", ")} FROM ${from} ${shape.joins.join(" ")} WHERE a.id = ${id}`;
  return ofAccount === null ? text : `${compareWithValue(text, column, ofAccount)} AND a.${column} = ${ofAccount}`;
}

/** Records of the own account are shown as they are stored, without what other accounts have of them. */
const pickSharedRows = (type: Type, by: Caller, account: string): SharedRows | null =>
  account === by.account ? null : buildSharedRows(type, by);

const buildAccountPart = (type: Type, account: string): Fragment | null =>
  type.routes.singleton ? null : value(account);

/** The same after the commit. */
export const loadCommittedRecord = (
  engine: Engine,
  by: Caller,
  type: Type,
  record: { id: number; account: string },
): Promise<LoadedRecord> =>
  loadSavedRecord(
    engine,
    { query: (statement, values) => engine.database.read(statement, values, by.zone) },
    by,
    type,
    record,
  );

/** The record as JSON, with its revision. `account`: the one that it belongs to. */
export async function loadSavedRecord(
  engine: Engine,
  tx: Pick<Transaction, "query">,
  by: Caller,
  type: Type,
  { id, account }: { id: number; account: string },
): Promise<LoadedRecord> {
  const shared = pickSharedRows(type, by, account);
  const shape = engine.serializer.forRecord(type, type.detailFields, shared !== null);
  const query = engine.statements.prepare(
    `${type.name}#saved`,
    { id: value(id), ofAccount: buildAccountPart(type, account), rows: pickRows(type, shared) },
    (sql) => buildSavedText(type, shape, sql, recordAccountColumn(type, shared)),
  );
  const [row] = await tx.query(query.statement, query.values);
  return { json: shape.write(row as Row, 1, by), revision: parseRevision((row as Row)[0]) };
}

/** The revision of the row `a`. */
export const selectRevision = ({ hasRevision }: Type): string => (hasRevision ? "a.revision" : "NULL");
export const parseRevision = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

/** Adds members that only this response shows. */
const appendMembers = (json: string, revealed: Values): string =>
  Object.keys(revealed).length === 0 ? json : `${json.slice(0, -1)},${JSON.stringify(revealed).slice(1)}`;
