import { toTimestamp } from "../../base/clock.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import type { Maximums } from "../../business-time/sla-targets.ts";
import type { SlaFacts, SlaTimes } from "../../business-time/sla-times.ts";
import type { Accountability, StoppedPeriod } from "../../business-time/stopped-periods.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import type { Agreements, Impact } from "./agreement-cache.ts";

// Affected SLAs in the database: one statement reads all of a request, one inserts and one updates them.

/** The facts of an affected SLA under the names of its columns; its times are computed from them at every save. */
export type AffectedSlaRow = {
  id: number | null;
  sla_id: number;
  service_instance_id: number;
  accountability: Accountability;
  impact: Impact | null;
  standard_service_request_id: number | null;
  support_team_id: number | null;
  first_line_team_id: number | null;
  supplier_id: number | null;
  support_hours_id: number | null;
  service_hours_id: number | null;
  time_zone: string | null;
  started_at: Moment;
  actual_response_at: Moment | null;
  actual_resolution_at: Moment | null;
  downtime_start_at: Moment | null;
  downtime_end_at: Moment | null;
  desired_completion_at: Moment | null;
  provider_not_accountable: boolean;
  covers_requester: boolean;
  stopped_periods: readonly StoppedPeriod[];
  notified: readonly string[];
  notify_at: Moment | null;
} & Pick<
  Maximums<number>,
  | "maximum_response_duration"
  | "maximum_response_duration_in_days"
  | "maximum_resolution_duration"
  | "maximum_resolution_duration_in_days"
>;

export type RowWithTimes = { row: AffectedSlaRow; times: SlaTimes };

export const buildSlaFacts = (agreements: Agreements, row: AffectedSlaRow): SlaFacts => ({
  ...row,
  support_hours: agreements.activeTimeFor(row.support_hours_id, row.time_zone),
  service_hours: row.service_hours_id === null ? null : agreements.activeTimeFor(row.service_hours_id, row.time_zone),
});

const selectRowsOfRequest = statement(
  "SELECT coalesce(json_agg(f ORDER BY f.id), '[]') FROM affected_slas f WHERE f.account_id = $1 AND f.request_id = $2",
);

type NullableMomentColumn =
  | "actual_response_at"
  | "actual_resolution_at"
  | "downtime_start_at"
  | "downtime_end_at"
  | "desired_completion_at"
  | "notify_at";

/** A row as PostgreSQL writes it to JSON: moments are texts. */
type StoredRow = Omit<AffectedSlaRow, NullableMomentColumn | "started_at" | "stopped_periods" | "notified"> & {
  [N in NullableMomentColumn]: string | null;
} & {
  started_at: string;
  stopped_periods: readonly (Omit<StoppedPeriod, "from" | "to"> & { from: string; to: string | null })[] | null;
  notified: readonly string[] | null;
};

export const parseMomentOrNull = (text: string | null): Moment | null => (text === null ? null : parseMoment(text));
export const formatMomentOrNull = (moment: Moment | null): string | null =>
  moment === null ? null : toTimestamp(new Date(moment));

const parseRow = (row: StoredRow): AffectedSlaRow => ({
  ...row,
  started_at: parseMoment(row.started_at),
  actual_response_at: parseMomentOrNull(row.actual_response_at),
  actual_resolution_at: parseMomentOrNull(row.actual_resolution_at),
  downtime_start_at: parseMomentOrNull(row.downtime_start_at),
  downtime_end_at: parseMomentOrNull(row.downtime_end_at),
  desired_completion_at: parseMomentOrNull(row.desired_completion_at),
  notify_at: parseMomentOrNull(row.notify_at),
  stopped_periods: (row.stopped_periods ?? []).map((period) => ({
    ...period,
    from: parseMoment(period.from),
    to: parseMomentOrNull(period.to),
  })),
  notified: row.notified ?? [],
});

/** Sends what `loadAffectedSlaRows` will ask for. */
export const readAffectedSlaRowsAhead = (tx: Transaction, account: string, request: number): void =>
  tx.readAhead(selectRowsOfRequest, [account, request]);

export async function loadAffectedSlaRows(
  tx: Pick<Transaction, "query">,
  account: string,
  request: number,
): Promise<AffectedSlaRow[]> {
  const [answer] = await tx.query(selectRowsOfRequest, [account, request]);
  const rows: StoredRow[] = JSON.parse(answer?.[0] ?? "[]");
  return rows.map(parseRow);
}

// biome-ignore format: a table keeps its columns
const columns = [
  "sla_id", "service_instance_id", "accountability", "impact", "standard_service_request_id", "support_team_id", "first_line_team_id", "supplier_id",
  "support_hours_id", "service_hours_id", "time_zone", "started_at", "stopped_clock_at", "stopped_clock_duration", "maximum_response_duration",
  "maximum_resolution_duration", "maximum_response_duration_in_days", "maximum_resolution_duration_in_days", "response_target_at", "resolution_target_at",
  "actual_response_at", "actual_response_duration", "actual_resolution_at", "actual_resolution_duration", "downtime_start_at", "downtime_end_at",
  "downtime_duration", "desired_completion_at", "next_target_at", "provider_not_accountable", "provider_was_not_accountable", "covers_requester",
  "stopped_periods", "notified", "notify_at",
];
const inputRows = "json_populate_recordset(NULL::affected_slas, $1::json) n";
const insertRows = statement(
  `INSERT INTO affected_slas (account_id, request_id, ${columns.join(", ")}, created_at, updated_at)
SELECT $2, $3, ${columns.map((name) => `n.${name}`).join(", ")}, $4, $4 FROM ${inputRows}`,
);
const updateRows = statement(
  `UPDATE affected_slas f SET ${columns.map((name) => `${name} = n.${name}`).join(", ")}, updated_at = $3
FROM ${inputRows} WHERE f.id = n.id AND f.account_id = $2 AND f.request_id = $4
AND (${columns.map((name) => `f.${name}`).join(", ")}) IS DISTINCT FROM (${columns.map((name) => `n.${name}`).join(", ")})`,
);
const updateNotified = statement(
  "UPDATE affected_slas SET notified = $3, notify_at = $4 WHERE id = $1 AND account_id = $2",
);

/** An affected SLA as JSON of its columns. */
type AffectedSlaJson = Readonly<Record<string, unknown>>;

/** Members that are null are left out: half of them are, and PostgreSQL takes as long to read them as the others. */
function omitNulls(json: AffectedSlaJson): AffectedSlaJson {
  const filled: Record<string, unknown> = {};
  for (const name in json) if (json[name] !== null) filled[name] = json[name];
  return filled;
}

const serializeRow = ({ row, times }: RowWithTimes): AffectedSlaJson =>
  omitNulls({
    ...row,
    started_at: formatMomentOrNull(row.started_at),
    actual_response_at: formatMomentOrNull(row.actual_response_at),
    actual_resolution_at: formatMomentOrNull(row.actual_resolution_at),
    downtime_start_at: formatMomentOrNull(row.downtime_start_at),
    downtime_end_at: formatMomentOrNull(row.downtime_end_at),
    desired_completion_at: formatMomentOrNull(row.desired_completion_at),
    notify_at: formatMomentOrNull(row.notify_at),
    stopped_periods: row.stopped_periods.map((period) => ({
      ...period,
      from: formatMomentOrNull(period.from),
      to: formatMomentOrNull(period.to),
    })),
    stopped_clock_at: formatMomentOrNull(times.stopped_clock_at),
    stopped_clock_duration: times.stopped_clock_duration,
    provider_was_not_accountable: times.provider_was_not_accountable,
    response_target_at: formatMomentOrNull(times.response_target_at),
    resolution_target_at: formatMomentOrNull(times.resolution_target_at),
    next_target_at: formatTarget(times.next_target_at),
    actual_response_duration: times.actual_response_duration,
    actual_resolution_duration: times.actual_resolution_duration,
    downtime_duration: times.downtime_duration,
  });

export const formatTarget = (target: SlaTimes["next_target_at"]): string | null =>
  typeof target === "number" ? formatMomentOrNull(target) : target;

/** Rows without an id are new. */
export function writeAffectedSlaRows(
  tx: Transaction,
  account: string,
  request: number,
  now: string,
  rows: readonly RowWithTimes[],
): void {
  const added = rows.filter(({ row }) => row.id === null).map(serializeRow);
  const changed = rows.filter(({ row }) => row.id !== null).map(serializeRow);
  if (added.length > 0) tx.send(insertRows, [JSON.stringify(added), account, request, now]);
  if (changed.length > 0) tx.send(updateRows, [JSON.stringify(changed), account, now, request]);
}

export const writeSentNotifications = (tx: Transaction, account: string, row: AffectedSlaRow): void =>
  tx.send(updateNotified, [row.id, account, JSON.stringify(row.notified), formatMomentOrNull(row.notify_at)]);
