import { toTimestamp } from "../base/clock.ts";
import type { Database, Transaction } from "../database/database.ts";
import { statement } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import { createCopyKey, type FileStore, sizeLimit } from "../files/index.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";
import { Failure } from "./language/errors.ts";
import { Bag, describeValueKind, type Value } from "./language/values.ts";

// A file belongs to one record, so a note that a rule adds gets copies.

const insert = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) SELECT $1, $2, name, size, $3, $4 FROM attachments WHERE key = $5 AND account_id = $1 RETURNING 1",
);
const gracePeriod = 86_400_000;

/** Returns the key of the copy. If the transaction does not commit, a job removes the file a day later. */
export async function copyAttachment(
  database: Database,
  files: FileStore,
  tx: Transaction,
  by: Caller,
  file: Value,
): Promise<string> {
  const key = file instanceof Bag ? file.members.key : null;
  if (typeof key !== "string") throw new Failure("evaluation", `${describeValueKind(file)} is no attachment`);
  const copy = createCopyKey(key, by.account, by.person, by.now);
  const runAt = new Date(by.now.getTime() + gracePeriod);
  const sent: Promise<unknown>[] = [];
  // Outside of the transaction, so that a rollback does not lose the job.
  const sender = { send: (...query: Parameters<Database["change"]>) => void sent.push(database.change(...query)) };
  addJob(sender, { kind: "remove file", key: copy, account: null, payload: { key: copy }, runAt });
  await Promise.all(sent);
  await files.copy(key, copy, sizeLimit);
  if ((await tx.query(insert, [by.account, copy, by.person, toTimestamp(by.now), key])).length === 0)
    throw new Failure("permission", "the attachment cannot be found");
  deleteJob(tx, "remove file", copy);
  return copy;
}
