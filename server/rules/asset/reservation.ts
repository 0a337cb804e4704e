import { reservation } from "../../../records/configuration/reservation.ts";
import { reservationOffering } from "../../../records/configuration/reservation-offering.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import { parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";

type ReservationChange = Change<typeof reservation>;

const isFinished = ({ after }: ReservationChange): boolean => after.status === "canceled" || after.status === "ended";

const selectOffering = statement(
  "SELECT preparation_duration, initial_status FROM reservation_offerings WHERE id = $1 AND account_id = $2",
);

/** The offering adds the time to prepare the item and the initial status of a reservation. */
async function applyOffering({ tx, by, before, after, changed }: ReservationChange): Promise<void> {
  if (before !== null && !changed.has("start_at") && !changed.has("reservation_offering")) return;
  const [row] =
    after.reservation_offering === null ? [] : await tx.query(selectOffering, [after.reservation_offering, by.account]);
  const minutes = parseNumberOrNull(row?.[0]) ?? 0;
  after.preparation_start_at =
    minutes > 0 && after.start_at !== null
      ? toTimestamp(new Date(Date.parse(after.start_at) - minutes * 60_000))
      : null;
  const initialStatus = parseChoice(reservationOffering.fields.initial_status, row?.[1]);
  if (before === null && !changed.has("status") && initialStatus !== null) after.status = initialStatus;
}

const fieldsDecidingOverlap = ["ci", "start_at", "end_at", "reservation_offering", "status"] as const;
// Transactions that reserve the same item run one after the other, so the second one sees the reservation of the first.
const lockCi = statement("SELECT id FROM cis WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE");
const selectOverlappingReservation = statement(
  `SELECT 1 FROM reservations WHERE account_id = $1 AND ci_id = $2 AND id <> $3 AND status NOT IN ('canceled', 'ended')
AND coalesce(preparation_start_at, start_at) < $5 AND end_at > $4 LIMIT 1`,
);

async function checkPeriod(change: ReservationChange): Promise<void> {
  const { tx, by, id, before, after, changed, problem } = change;
  if (after.start_at === null || after.end_at === null || after.ci === null) return;
  if (after.end_at <= after.start_at) return; // C13 refuses it
  if (isFinished(change) || (before !== null && !fieldsDecidingOverlap.some((name) => changed.has(name)))) return;
  await tx.query(lockCi, [after.ci, by.account]);
  const start = after.preparation_start_at ?? after.start_at;
  const rows = await tx.query(selectOverlappingReservation, [by.account, after.ci, id, start, after.end_at]);
  if (rows.length > 0) problem("start_at", "overlaps with another reservation");
}

const selectPendingRequests = statement(
  "SELECT id FROM requests WHERE reservation_id = $1 AND account_id = $2 AND status = 'reservation_pending' ORDER BY id",
);

/** A request with status reservation_pending is completed with its reservation, or assigned again if that is canceled. */
async function updatePendingRequests(change: ReservationChange): Promise<void> {
  const { tx, id, account, before, after, update } = change;
  if (before?.status === after.status || !isFinished(change)) return;
  const status = after.status === "ended" ? "completed" : "assigned";
  for (const [request] of await tx.query(selectPendingRequests, [id, account]))
    await update("request", Number(request), { status });
}

export const reservationRules = rulesFor(reservation, {
  beforeSave: steps(applyOffering, checkPeriod),
  afterSave: updatePendingRequests,
});
