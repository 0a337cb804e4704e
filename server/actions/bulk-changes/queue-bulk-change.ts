import { randomBytes } from "node:crypto";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { bulkPreview, bulkProgress, bulkRefusal } from "../../../records/answers/bulk-changes.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Type } from "../../engine/types.ts";
import { addJob } from "../../queue/jobs.ts";
import { formatProgram } from "../../queue/origin-program.ts";
import { type BulkChange, type BulkContext, bulkChangeJob, bulkColumns, undoSeconds } from "./bulk-change-context.ts";
import { changeRecord, type LinksToAdd, type RecordChange } from "./change-records.ts";

export type BulkOrder = {
  type: Type;
  ids: readonly number[];
  change: Readonly<Record<string, unknown>>;
  links: LinksToAdd;
  note: string | null;
};

const retention = "1 day";
const maxListedRefusals = 1000;
/** A preview tries the change in a transaction that is rolled back; more records would hold their locks for too long. */
const maxPreviewed = 100;

const deleteOld = statement(
  `DELETE FROM bulk_changes WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '${retention}'`,
);
const insert = jsonStatement<{ id: number }>(
  `INSERT INTO bulk_changes (account_id, token, person_id, record_type, change, links, note, language, source, program, state, total, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued', $11, $12) RETURNING id`,
);
const insertRecords = statement(
  `INSERT INTO bulk_change_records (account_id, bulk_change_id, position, record_id)
SELECT $1, $2, position, record_id FROM unnest($3::integer[]) WITH ORDINALITY AS r (record_id, position)`,
);

const buildJob = (change: { id: number; token: string; account: string }, runAt: Date) => ({
  kind: bulkChangeJob,
  key: change.token,
  account: change.account,
  payload: { id: change.id },
  runAt,
});

/** The changes to each record. */
export const buildRecordChange = (
  change: Readonly<Record<string, unknown>>,
  links: LinksToAdd,
  note: string | null,
): RecordChange => ({ members: note === null ? change : { ...change, note }, links });

/** Queues the change and returns its token. */
export async function queueBulkChange(
  { engine, wake }: BulkContext,
  by: Caller,
  { type, ids, change, links, note }: BulkOrder,
): Promise<string> {
  const token = randomBytes(16).toString("hex");
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    tx.send(deleteOld, [by.account, now.toISOString()]);
    const owner = [by.account, token, by.person, type.name];
    const linksText = Object.keys(links).length === 0 ? null : JSON.stringify(links);
    const how = [
      JSON.stringify(change),
      linksText,
      note,
      by.language,
      by.source,
      formatProgram(by.changeOrigin),
      ids.length,
      now.toISOString(),
    ];
    const row = await queryFirst(tx, insert, [...owner, ...how]);
    const id = row?.id ?? 0;
    tx.send(insertRecords, [by.account, id, ids]);
    addJob(tx, buildJob({ id, token, account: by.account }, now));
  });
  wake();
  return token;
}

type Refusal = AnswerOf<typeof bulkRefusal>;

class PreviewEnd extends Error {
  readonly refused: Refusal[];
  constructor(refused: Refusal[]) {
    super("a preview changes nothing");
    this.refused = refused;
  }
}

/** Tries the change on some of the records and changes nothing. */
export async function previewBulkChange(
  { engine, log }: BulkContext,
  by: Caller,
  { type, ids, change, links, note }: BulkOrder,
): Promise<AnswerOf<typeof bulkPreview>> {
  const checked = ids.slice(0, maxPreviewed);
  try {
    await engine.database.transaction(async (tx) => {
      const refused: Refusal[] = [];
      for (const id of checked) {
        const outcome = await changeRecord({ engine, log, by, type }, tx, id, buildRecordChange(change, links, note));
        if (outcome.state === "refused") refused.push({ id, errors: outcome.errors });
      }
      throw new PreviewEnd(refused);
    }, by.zone);
  } catch (error) {
    if (error instanceof PreviewEnd) return { total: ids.length, checked: checked.length, refused: error.refused };
    throw error;
  }
  throw new Error("a preview ends with a rollback");
}

const selectByToken = jsonStatement<BulkChange>(
  `SELECT ${bulkColumns} FROM bulk_changes WHERE token = $1 AND account_id = $2 AND person_id = $3`,
);
const selectRefused = jsonStatement<Refusal>(
  `SELECT record_id AS id, errors::json AS errors FROM bulk_change_records WHERE bulk_change_id = $1 AND account_id = $2 AND errors IS NOT NULL ORDER BY position LIMIT ${maxListedRefusals}`,
);

/** Only the person who started it may see, cancel and undo a bulk change. */
export async function loadBulkChange(
  { engine }: BulkContext,
  by: Caller,
  token: string,
): Promise<AnswerOf<typeof bulkProgress>> {
  const { database, clock } = engine;
  const row = await queryFirst(database, selectByToken, [token, by.account, by.person]);
  if (row === null) throw new NotFound();
  const { id, state, total, done, changed, undone } = row;
  const undoUntil = getUndoEnd(row);
  const refused = await queryRows(database, selectRefused, [id, by.account]);
  return {
    ...{ state, total, done, changed, undone },
    refused,
    ...(undoUntil !== null && clock.now() < undoUntil ? { undo_until: undoUntil.toISOString() } : {}),
  };
}

const getUndoEnd = ({ state, finished_at }: BulkChange): Date | null =>
  (state === "done" || state === "canceled") && finished_at !== null
    ? new Date(new Date(finished_at).getTime() + undoSeconds * 1000)
    : null;

const lockByToken = jsonStatement<BulkChange>(
  `UPDATE bulk_changes SET state = state WHERE token = $1 AND account_id = $2 AND person_id = $3 RETURNING ${bulkColumns}`,
);
const markCanceled = statement(
  "UPDATE bulk_changes SET state = 'canceled', finished_at = $2 WHERE id = $1 AND account_id = $3",
);
const markUndoing = statement("UPDATE bulk_changes SET state = 'undoing', done = 0 WHERE id = $1 AND account_id = $2");
const queueRecordsForUndo = statement(
  "UPDATE bulk_change_records SET state = 'to undo', errors = NULL WHERE bulk_change_id = $1 AND account_id = $2 AND state = 'changed'",
);

async function withLocked(
  { engine }: BulkContext,
  by: Caller,
  token: string,
  act: (tx: Transaction, change: BulkChange) => void,
): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const change = await queryFirst(tx, lockByToken, [token, by.account, by.person]);
    if (change === null) throw new NotFound();
    act(tx, change);
  });
}

/** A batch that is being changed is finished first. */
export const cancelBulkChange = (context: BulkContext, by: Caller, token: string): Promise<void> =>
  withLocked(context, by, token, (tx, { id, state }) => {
    if (state !== "queued" && state !== "processing") throw new Invalid([["base", "has ended already"]]);
    tx.send(markCanceled, [id, context.engine.clock.now().toISOString(), by.account]);
  });

export async function undoBulkChange(context: BulkContext, by: Caller, token: string): Promise<void> {
  const now = context.engine.clock.now();
  await withLocked(context, by, token, (tx, change) => {
    const end = getUndoEnd(change);
    if (end === null) throw new Invalid([["base", "cannot be undone now"]]);
    if (now >= end) throw new Invalid([["base", "can no longer be undone"]]);
    tx.send(queueRecordsForUndo, [change.id, by.account]);
    tx.send(markUndoing, [change.id, by.account]);
    addJob(tx, buildJob({ id: change.id, token, account: by.account }, now));
  });
  context.wake();
}
