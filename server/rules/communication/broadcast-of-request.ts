import type { request } from "../../../records/work/request.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";

// D-396: a broadcast follows its request group by itself.

const hour = 3_600_000;

const selectFollowing = statement(
  `SELECT id, show_as_solved AND start_at <= $3 FROM broadcasts
WHERE request_id = $1 AND account_id = $2 AND end_on_completion AND NOT disabled AND (end_at IS NULL OR end_at > $3) ORDER BY id FOR UPDATE`,
);

/** In `afterSave` of a request. Only groups have broadcasts, so completing any other request costs no look-up. */
export async function endBroadcasts({
  tx,
  by,
  id,
  account,
  before,
  after,
  update,
}: Change<typeof request>): Promise<void> {
  if (after.grouping !== "group" || after.status !== "completed" || before?.status === "completed") return;
  for (const [broadcast, isShownOn] of await tx.query(selectFollowing, [id, account, toTimestamp(by.now)])) {
    const end_at = toTimestamp(new Date(by.now.getTime() + hour));
    await update(
      "broadcast",
      Number(broadcast),
      isShownOn === "t" ? { message_type: "available", end_at } : { disabled: true },
    );
  }
}
