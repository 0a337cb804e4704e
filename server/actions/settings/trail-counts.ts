import type { TrailCounts } from "../../../records/answers/settings.ts";
import { listTabEvents } from "../../../records/journal/security-events.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";

// How much the tabs of the audit page hold. No count looks at more than one row above the limit, so the page is as quick
// with a million rows as with ten thousand.

const most = 10_000;
const count = (rows: string): string => `(SELECT count(*)::integer FROM (SELECT 1 FROM ${rows} LIMIT ${most + 1}) x)`;

/** `most`: a count above it means "more than that". */
const selectCounts = jsonStatement<Omit<TrailCounts, "most">>(
  `SELECT ${count("audit_lines WHERE account_id = $1")} AS changes,
  ${count("security_events WHERE account_id = $1")} AS security,
  ${count("security_events WHERE account_id = $1 AND event = ANY ($2::text[])")} AS sign_ins,
  ${count("security_events WHERE account_id = $1 AND event = ANY ($3::text[])")} AS access`,
);

export async function loadTrailCounts({ database }: Engine, by: Caller): Promise<TrailCounts> {
  const values = [by.account, listTabEvents("signIns"), listTabEvents("access")];
  const found = await queryFirst(database, selectCounts, values);
  return { ...(found ?? { changes: 0, security: 0, sign_ins: 0, access: 0 }), most };
}
