import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type RecordKey, requireReadable } from "../../engine/read/record-key.ts";

const mark = statement(
  `INSERT INTO seen_marks (account_id, person_id, record_type, record_id, revision, seen_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (person_id, record_id, record_type, account_id) DO UPDATE SET revision = greatest(seen_marks.revision, excluded.revision), seen_at = excluded.seen_at`,
);
const readNotifications = statement(
  "UPDATE page_notifications SET read_at = $5 WHERE person_id = $2 AND account_id = $1 AND record_type = $3 AND record_id = $4 AND read_at IS NULL",
);

/** The person has seen the record as it is now, and with it what its notifications say. */
export async function markSeen(engine: Engine, by: Caller, record: RecordKey): Promise<void> {
  const revision = await requireReadable(engine, by, record);
  const { type, id } = record;
  const now = engine.clock.now().toISOString();
  await engine.database.transaction(async (tx) => {
    tx.send(mark, [by.account, by.person, type.name, id, revision, now]);
    tx.send(readNotifications, [by.account, by.person, type.name, id, now]);
  });
}
