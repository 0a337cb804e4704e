import { toTimestamp } from "../../base/clock.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import {
  type FileStore,
  fileNamePlaceholder,
  folderPrefix,
  parseKeyAccount,
  safeFileName,
  sizeLimit,
} from "../../files/index.ts";
import { addJob } from "../../queue/jobs.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { isUsedByDraft, unusedUploadLifetime } from "./draft-files.ts";

// A client may send a file to the object storage itself. We learn of it when a record names its key: a row with the
// placeholder in place of the file name proves that we permitted uploads to that folder.

export const forgetDirectUploadJob = "forget direct upload";

const insertGrant = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, '', -1, $3, $4)",
);
const selectGrant = statement(
  "SELECT person_id FROM attachments WHERE key = $1 AND account_id = $2 AND size = -1 FOR SHARE",
);
// A record of another account may have the file by now, so this looks in all accounts.
const selectKnownKeys = statement("SELECT key FROM attachments WHERE key = ANY($1::text[])");
const insertUpload = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
);
const deleteGrant = statement("DELETE FROM attachments WHERE key = $1 AND account_id = $2 AND size = -1");

/** `key` ends in the placeholder. A job removes what was uploaded and used by no record within a day. */
export const grantDirectUpload = (database: Database, by: Caller, key: string): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send(insertGrant, [by.account, key, by.person, toTimestamp(by.now)]);
    scheduleCleanup(tx, key, by.account, by.now);
  });

const scheduleCleanup = (tx: Transaction, key: string, account: string, now: Date): void => {
  const runAt = new Date(now.getTime() + unusedUploadLifetime);
  addJob(tx, { kind: forgetDirectUploadJob, key, account, payload: { key }, runAt });
};

/** Adds rows for files that are in the store and unknown to us. */
export async function registerDirectUploads(
  { findUploadedFile }: Engine,
  tx: Transaction,
  by: Caller,
  keys: readonly string[],
): Promise<void> {
  if (findUploadedFile === undefined) return;
  const known = new Set((await tx.query(selectKnownKeys, [keys])).map(([key]) => key));
  for (const key of new Set(keys)) {
    const name = key.slice(folderPrefix(key).length);
    if (known.has(key) || name === fileNamePlaceholder || safeFileName(name) !== name) continue;
    const [grant] = await tx.query(selectGrant, [`${folderPrefix(key)}${fileNamePlaceholder}`, by.account]);
    const size = grant === undefined ? null : await findUploadedFile(key);
    if (size === null || size > sizeLimit) continue;
    tx.send(insertUpload, [by.account, key, name, size, grant?.[0] ?? null, toTimestamp(by.now)]);
  }
}

/** The job. A later record that names the file gets an "unknown" error. */
export async function forgetDirectUpload(
  database: Database,
  files: FileStore,
  now: Date,
  { key: grantKey }: { key: string },
): Promise<void> {
  const account = parseKeyAccount(grantKey);
  const isForgotten = await database.transaction(async (tx) => {
    const isUsed = await isUsedByDraft(tx, grantKey);
    if (isUsed) scheduleCleanup(tx, grantKey, account, now);
    else tx.send(deleteGrant, [grantKey, account]);
    return !isUsed;
  });
  if (!isForgotten) return;
  for await (const { key } of files.list(folderPrefix(grantKey)))
    if ((await database.read(selectKnownKeys, [[key]])).length === 0) await files.remove(key);
}
