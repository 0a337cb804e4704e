import type { Row, Transaction } from "../../storage/database.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import type { Operation } from "../operation.ts";
import { buildSharedRows, pickRows } from "../overlays.ts";
import type { Values } from "../rules.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";
import type { Body } from "./input.ts";

/** `existing`: the create meant a record that exists, which was updated instead */
export type SaveResult = { id: number; json: string; ignored: readonly string[]; existing?: true };

/** The result of a save with the saved record, which the same transaction reads back. */
export async function respond(
  { engine, tx, by, type }: Operation,
  saved: Omit<SaveResult, "json">,
  body: Body,
  revealed: Values,
): Promise<SaveResult> {
  const json = body.skipResponse ? "" : appendMembers(await loadSavedJson(engine, tx, by, type, saved.id), revealed);
  return { ...saved, json };
}

/** The record as JSON. */
export async function loadSavedJson(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
): Promise<string> {
  const shared = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, type.detailFields, shared !== null);
  const query = engine.statements.prepare(
    `${type.name}#saved`,
    { id: value(id), rows: pickRows(type, shared) },
    (sql) => `SELECT ${shape.columns.join(", ")} FROM ${sql.rows} ${shape.joins.join(" ")} WHERE a.id = ${sql.id}`,
  );
  const [row] = await tx.query(query.statement, query.values);
  return shape.write(row as Row, 0, by);
}

/** Adds members that only this response shows. */
const appendMembers = (json: string, revealed: Values): string =>
  Object.keys(revealed).length === 0 ? json : `${json.slice(0, -1)},${JSON.stringify(revealed).slice(1)}`;
