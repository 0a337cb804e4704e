import { toTimestamp } from "../../base/clock.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

const finishedStatuses = ["canceled", "ended"];
const selectOffering = statement(
  "SELECT preparation_duration, initial_status FROM reservation_offerings WHERE id = $1 AND account_id = $2",
);
// Two reservations of one item wait for each other; whoever comes second sees the first.
const lockCi = statement("SELECT id FROM cis WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE");
const selectOverlappingReservation = statement(
  `SELECT 1 FROM reservations WHERE account_id = $1 AND ci_id = $2 AND id <> $3 AND status NOT IN ('canceled', 'ended')
AND coalesce(preparation_start_at, start_at) < $5 AND end_at > $4 LIMIT 1`,
);

/** What the offering adds: the time to prepare the item, and the status a reservation begins in. */
async function applyOffering({ tx, by, before, after, changed }: Change): Promise<void> {
  if (before !== null && !changed.has("start_at") && !changed.has("reservation_offering")) return;
  const offering = after.reservation_offering as number | null;
  const [row] = offering === null ? [] : await tx.query(selectOffering, [offering, by.account]);
  const minutes = Number(row?.[0] ?? 0);
  after.preparation_start_at =
    minutes > 0 && after.start_at !== null
      ? toTimestamp(new Date(Date.parse(String(after.start_at)) - minutes * 60_000))
      : null;
  if (before === null && !changed.has("status") && row?.[1] != null) after.status = row[1];
}

const fieldsDecidingOverlap = ["ci", "start_at", "end_at", "reservation_offering", "status"];

const selectPendingRequests = statement(
  "SELECT id FROM requests WHERE reservation_id = $1 AND account_id = $2 AND status = 'reservation_pending' ORDER BY id",
);

/** A request with status reservation_pending waits for the end; what will not take place is somebody's matter again. */
async function updatePendingRequests({ tx, id, account, before, after, update }: Change): Promise<void> {
  if (before?.status === after.status || !finishedStatuses.includes(String(after.status))) return;
  const status = after.status === "ended" ? "completed" : "assigned";
  for (const [request] of await tx.query(selectPendingRequests, [id, account]))
    await update("request", Number(request), { status });
}

export const reservationRules: TypeRules = {
  async beforeSave(change) {
    const { tx, by, id, before, after, changed, problem } = change;
    await applyOffering(change);
    if (after.start_at === null || after.end_at === null || after.ci === null) return;
    if (String(after.end_at) <= String(after.start_at)) return problem("end_at", "is not valid");
    if (
      finishedStatuses.includes(String(after.status)) ||
      (before !== null && !fieldsDecidingOverlap.some((name) => changed.has(name)))
    )
      return;
    const item = after.ci as number;
    await tx.query(lockCi, [item, by.account]);
    const from = (after.preparation_start_at ?? after.start_at) as string;
    const rows = await tx.query(selectOverlappingReservation, [by.account, item, id, from, after.end_at as string]);
    if (rows.length > 0) problem("start_at", "overlaps with another reservation");
  },
  afterSave: updatePendingRequests,
};
