import type { Readable } from "node:stream";
import { toTimestamp } from "../base/clock.ts";
import { Forbidden } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import type { Engine } from "../engine/engine.ts";
import { scheduleUploadCleanup } from "../engine/write/attachments.ts";
import { type FileStore, sizeLimit, type ValidUploadGrant } from "../files/index.ts";

// CV21 to CV23. An upload is stored under its key; a record that names the key owns the file.

/** `size` is -1 until the file is complete: attachments of such rows cannot be linked. */
const reserveKey = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, $3, -1, $4, $5) ON CONFLICT DO NOTHING RETURNING 1",
);
const completeUpload = statement("UPDATE attachments SET size = $2 WHERE key = $1 AND account_id = $3");
const releaseKey = statement("DELETE FROM attachments WHERE key = $1 AND account_id = $2 AND size = -1");

/** The row reserves the key first: of several uploads under one key exactly one succeeds, and no file is replaced. */
export async function storeUpload(
  { database, clock }: Engine,
  files: FileStore,
  { accountNumber, personId }: ValidUploadGrant,
  key: string,
  content: Readable,
): Promise<void> {
  const now = clock.now();
  const name = key.slice(key.lastIndexOf("/") + 1);
  const reserved = await database.change(reserveKey, [accountNumber, key, name, personId, toTimestamp(now)]);
  if (reserved.length === 0) throw new Forbidden();
  try {
    const { size } = await files.write(key, content, sizeLimit);
    await database.transaction(async (tx) => {
      tx.send(completeUpload, [key, size, accountNumber]);
      scheduleUploadCleanup(tx, key, accountNumber, now);
    });
  } catch (error) {
    await database.change(releaseKey, [key, accountNumber]);
    throw error;
  }
}
