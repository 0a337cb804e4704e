import { statement, type Transaction } from "../../database/database.ts";
import { addJob } from "../../queue/jobs.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { Change } from "../rules.ts";
import type { Type } from "../types.ts";
import { registerDirectUploads } from "./direct-uploads.ts";
import { isUsedByDraft, unusedUploadLifetime } from "./draft-files.ts";

// Files are uploaded first, without a record; a record claims them by their keys. A job removes files that no record uses
// any more, after the commit.

const selectAttachments = statement(
  "SELECT key, record_id, record_type, account_id FROM attachments WHERE key = ANY($1::text[]) AND account_id = ANY($2::text[]) AND size >= 0 FOR UPDATE",
);
// A file lives with the record that uses it.
const claimAttachment = statement(
  "UPDATE attachments SET record_type = $1, record_id = $2, field = $3, inline = $4, account_id = $7 WHERE key = $5 AND account_id = $6",
);
const deleteAttachment = statement(
  "DELETE FROM attachments WHERE key = $1 AND account_id = $2 AND record_type = $3 AND record_id = $4",
);
const deleteAllOfRecord = statement(
  "DELETE FROM attachments WHERE record_type = $1 AND record_id = $2 AND account_id = $3 RETURNING key",
);
const deleteUnusedUpload = statement(
  "DELETE FROM attachments WHERE key = $1 AND account_id = $2 AND record_id IS NULL RETURNING key",
);

/** The field that the files of an attachment field belong to. */
function pickFileField(type: Type, name: string): string {
  const field = type.fields[name];
  return field === undefined ? name : (getKind(field).attachmentField?.(field) ?? name);
}

export async function linkAttachments(engine: Engine, type: Type, change: Change): Promise<void> {
  if (change.attachments.size === 0) return;
  const { tx, by, account } = change;
  const keys = [...change.attachments.values()].flat().map((attachment) => attachment.key);
  await registerDirectUploads(engine, tx, by, keys);
  const rows = await tx.query(selectAttachments, [keys, [...new Set([by.account, account])]]);
  const owners = new Map(rows.map((row) => [row[0] as string, row[1] === null ? null : `${row[2]} ${row[1]}`]));
  const accounts = new Map(rows.map((row) => [row[0] as string, row[3] as string]));
  const self = `${type.name} ${change.id}`;
  for (const [name, list] of change.attachments) {
    const fileField = pickFileField(type, name);
    // Files of a transient field belong to the record that the field creates, such as a note.
    const isHandedOn = fileField !== name && type.fields[fileField]?.transient === true;
    for (const { key, inline, remove } of list) {
      const owner = owners.get(key);
      if (owner === undefined || (owner !== null && owner !== self) || (remove && owner !== self)) {
        change.problem(name, "is not a known attachment");
      } else if (isHandedOn) {
        if (owner !== null) change.problem(name, "is not a known attachment");
      } else if (remove) {
        tx.send(deleteAttachment, [key, account, type.name, change.id]);
        scheduleFileRemoval(tx, key, by.now);
      } else
        tx.send(claimAttachment, [type.name, change.id, fileField, inline, key, accounts.get(key) ?? account, account]);
    }
  }
}

/** Deletes the attachments of a record that is deleted. */
export async function deleteAttachments(
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  now: Date,
): Promise<void> {
  for (const [key] of await tx.query(deleteAllOfRecord, [type.name, id, account]))
    scheduleFileRemoval(tx, key as string, now);
}

const scheduleFileRemoval = (tx: Transaction, key: string, now: Date): void =>
  addJob(tx, { kind: "remove file", key, account: null, payload: { key }, runAt: now });

/** An upload that no record has claimed after a day is deleted. */
export const scheduleUploadCleanup = (tx: Transaction, key: string, account: string, now: Date): void =>
  addJob(tx, {
    kind: "forget upload",
    key,
    account,
    payload: { key },
    runAt: new Date(now.getTime() + unusedUploadLifetime),
  });

/** Runs as the job of that day; returns whether the file can be removed. A file of a draft is looked at again a day later. */
export async function deleteIfUnused(tx: Transaction, key: string, account: string, now: Date): Promise<boolean> {
  if (await isUsedByDraft(tx, key)) {
    scheduleUploadCleanup(tx, key, account, now);
    return false;
  }
  return (await tx.query(deleteUnusedUpload, [key, account])).length > 0;
}
