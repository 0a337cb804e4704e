import { Invalid, NotFound } from "../../base/errors.ts";
import { runBatched } from "../../database/batch.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { eraseInTransaction } from "../../engine/archive-and-trash.ts";
import type { Caller } from "../../engine/caller.ts";
import { deleteInTransaction } from "../../engine/delete.ts";
import type { Engine } from "../../engine/engine.ts";
import { linkInTransaction, unlinkInTransaction } from "../../engine/links.ts";
import { type FormerValues, restoreValues } from "../../engine/restore-values.ts";
import { conflictKeysFor } from "../../engine/rules.ts";
import { always } from "../../engine/sql/clauses.ts";
import type { Type } from "../../engine/types.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import { findReferredRecords } from "../../engine/write/references.ts";
import { describeRefusal } from "./import-rows.ts";
import type { LinkChanges } from "./link-columns.ts";
import { isRetryable } from "./retryable.ts";

// IE22. Undoes the effects of a file's rows on their records.

export type UndoContext = {
  engine: Engine;
  by: Caller;
  type: Type;
  importId: number;
  /** who imported, and the audit lines between which others may have changed records */
  importer: number;
  lastAuditId: number;
  undoAuditId: number;
  /** rows that are left refer to each other: references among them do not count any more */
  isLastSweep: boolean;
};
export type UndoneRow = { line: number; state: string; record_id: number; former: string | null; links: string | null };
/** Errors: what was not put back. */
type UndoErrors = [string, string][];
/** "later": a record that this import created or changed still refers to the record of the row */
export type UndoOutcome = UndoErrors | "later";

const changedSince = "was changed since";
const stillInUse = "is still in use";

// Changes by rules and timers have no person: they followed from the import. Later imports are undone before this one.
const selectTouched = statement(
  `SELECT DISTINCT l.record_id FROM audit_lines l WHERE l.account_id = $6 AND l.record_id = ANY($1::integer[]) AND l.audited = $2 AND l.id <= $3
AND l.created_by_id IS NOT NULL AND (l.id > $4 OR l.created_by_id <> $5)
AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.account_id = $6 AND i.id > $7 AND i.undo_state = 'done'
  AND (l.id > i.first_audit_id AND l.id <= i.last_audit_id AND l.created_by_id = i.person_id OR l.id > i.undo_audit_id AND l.id <= i.undo_last_audit_id))`,
);

/** Undoes rows, given last first; returns for each what was not put back. */
export async function undoRows(
  context: UndoContext,
  tx: Transaction,
  rows: readonly UndoneRow[],
): Promise<UndoOutcome[]> {
  const outcomes: UndoOutcome[] = [];
  for (let at = 0; at < rows.length; ) {
    const { state } = rows[at] as UndoneRow;
    const rest = rows.slice(at);
    const end = rest.findIndex((row) => row.state !== state);
    const run = end < 0 ? rest : rest.slice(0, end);
    outcomes.push(...(await (state === "new" ? removeRecords(context, tx, run) : restoreRecords(context, tx, run))));
    at += run.length;
  }
  return outcomes;
}

/** Removes records that the import created, unless they have been changed or used since. */
async function removeRecords(
  context: UndoContext,
  tx: Transaction,
  rows: readonly UndoneRow[],
): Promise<UndoOutcome[]> {
  const { engine, by, type } = context;
  const ids = rows.map(({ record_id }) => record_id);
  const touched = await tx.query(selectTouched, [
    ids,
    type.name,
    context.undoAuditId,
    context.lastAuditId,
    context.importer,
    by.account,
    context.importId,
  ]);
  const changed = new Set(touched.map(([id]) => Number(id)));
  const unchanged = ids.filter((id) => !changed.has(id));
  const used = await findUsedRecords(context, tx, unchanged);
  const usedByOthers = used.size === 0 ? used : await findUsedRecords(context, tx, unchanged, ofPendingRows(context));
  const obstacles = rows.map(({ record_id: id }): UndoOutcome => {
    if (changed.has(id)) return [["base", changedSince]];
    if (usedByOthers.has(id)) return [["base", stillInUse]];
    return used.has(id) && !context.isLastSweep ? "later" : [];
  });
  const free = rows.filter((_, index) => obstacles[index]?.length === 0);
  const remove = (part: Transaction, some: readonly number[]) => removeAll({ engine, by, type }, part, some);
  const all = await attempt(context, tx, (part) =>
    remove(
      part,
      free.map(({ record_id }) => record_id),
    ),
  );
  if (all.length === 0) return obstacles;
  // One of them cannot be removed: each is tried alone.
  const result: UndoOutcome[] = [];
  for (const [index, { record_id: id }] of rows.entries()) {
    const obstacle = obstacles[index] ?? [];
    result.push(obstacle.length > 0 ? obstacle : await attempt(context, tx, (part) => remove(part, [id])));
  }
  return result;
}

/** Records of rows that are not undone yet, which another row of the file may have named before they were saved. */
const ofPendingRows = ({ importId, by }: UndoContext) => ({
  sql: "EXISTS (SELECT 1 FROM import_rows i WHERE i.import_id = $2 AND i.account_id = $3 AND i.record_id = id AND i.state IN ('new', 'changed'))",
  values: [importId, by.account],
});

/** Those that records refer to which stay: each that stays may hold others. */
async function findUsedRecords(
  { engine, type }: UndoContext,
  tx: Transaction,
  ids: readonly number[],
  ignored?: ReturnType<typeof ofPendingRows>,
): Promise<Set<number>> {
  const used = new Set<number>();
  for (let left = ids; ; left = ids.filter((id) => !used.has(id))) {
    const found = await findReferredRecords(engine, tx, type, left, ignored);
    if (found.size === 0) return used;
    for (const id of found) used.add(id);
  }
}

/** Records that can be deleted by a call are deleted like that, with its hooks; others are erased. */
async function removeAll(
  { engine, by, type }: Pick<UndoContext, "engine" | "by" | "type">,
  tx: Transaction,
  ids: readonly number[],
): Promise<UndoErrors> {
  if (ids.length === 0) return [];
  if (type.deletion.archivable !== null || type.deletion.deletable === false) {
    await eraseInTransaction(engine, tx, type, ids, by.account);
    return [];
  }
  const scope = { clause: always, rights: "of the parent" as const };
  for (const id of ids)
    await deleteInTransaction({ engine, tx, by, type }, id, { scope }).catch((error) => {
      if (!(error instanceof NotFound)) throw error; // it no longer exists
    });
  return [];
}

/** Restores former values and links, in batches of records that do not depend on each other. */
async function restoreRecords(
  context: UndoContext,
  tx: Transaction,
  rows: readonly UndoneRow[],
): Promise<UndoErrors[]> {
  const outcomes: UndoErrors[] = [];
  for (let at = 0; at < rows.length; ) {
    const run = rows.slice(at, at + countIndependentRows(context, rows.slice(at)));
    outcomes.push(...(await restoreRun(context, tx, run)));
    at += run.length;
  }
  return outcomes;
}

function countIndependentRows({ engine, type }: UndoContext, rows: readonly UndoneRow[]): number {
  const conflictKeys = conflictKeysFor(engine.rules.forType(type.name));
  const taken = new Set<string>();
  for (const [index, { record_id, former, links }] of rows.entries()) {
    const values = Object.fromEntries(Object.entries(parseFormer(former)).map(([name, { before }]) => [name, before]));
    const keys = links === null ? conflictKeys(values, false) : null;
    const all = keys === null ? null : [...keys, `record ${record_id}`];
    if (all === null) return Math.max(1, index);
    if (all.some((key) => taken.has(key))) return index;
    for (const key of all) taken.add(key);
  }
  return rows.length;
}

async function restoreRun(context: UndoContext, tx: Transaction, rows: readonly UndoneRow[]): Promise<UndoErrors[]> {
  const { language } = context.by;
  if (rows.length > 1)
    try {
      const settled = await tx.savepoint((part) =>
        runBatched(
          part,
          rows.map((row) => (lane: Transaction) => restoreRow(context, lane, row)),
        ),
      );
      return settled.map((result) => {
        if (result.status === "fulfilled") return result.value;
        if (isRetryable(result.reason)) throw result.reason;
        return describeFailure(context, result.reason, language);
      });
    } catch (error) {
      if (isRetryable(error)) throw error;
    }
  const outcomes: UndoErrors[] = [];
  for (const row of rows) outcomes.push(await attempt(context, tx, (part) => restoreRow(context, part, row)));
  return outcomes;
}

const parseFormer = (text: string | null): FormerValues => (text === null ? {} : (JSON.parse(text) as FormerValues));

async function restoreRow(
  { engine, by, type }: UndoContext,
  tx: Transaction,
  { record_id: id, former, links }: UndoneRow,
): Promise<UndoErrors> {
  const operation = { engine, tx, by, type };
  const kept = former === null ? [] : await restoreValues(operation, id, parseFormer(former));
  const changes = (links === null ? {} : JSON.parse(links)) as LinkChanges;
  for (const [name, { added, removed }] of Object.entries(changes)) {
    for (const other of added) await ignoreMissing(unlinkInTransaction(operation, id, name, other));
    for (const other of removed) await ignoreMissing(linkInTransaction(operation, id, name, other));
  }
  return kept.map((name) => [name, changedSince]);
}

/** A link that another caller has removed meanwhile no longer exists, and neither does one to a deleted record. */
const ignoreMissing = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => {
    if (!(error instanceof NotFound)) throw error;
  });

async function attempt(
  context: UndoContext,
  tx: Transaction,
  work: (part: Transaction) => Promise<UndoErrors>,
): Promise<UndoErrors> {
  try {
    return await tx.savepoint(work);
  } catch (error) {
    if (isRetryable(error)) throw error;
    return describeFailure(context, error, context.by.language);
  }
}

function describeFailure({ type }: UndoContext, error: unknown, language: string): UndoErrors {
  const isUsed = (error as { code?: string }).code === "23503";
  const known = isUsed ? new Invalid([["base", stillInUse]]) : translateDatabaseError(type, error);
  const refusal = describeRefusal(known, language);
  if (refusal === null) throw error;
  return refusal;
}
