import { isDeepStrictEqual } from "node:util";
import { toTimestamp } from "../../base/clock.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import type { Maximums } from "../../business-time/sla-targets.ts";
import type { SlaFacts, SlaTimes } from "../../business-time/sla-times.ts";
import type { Accountability, StoppedPeriod } from "../../business-time/stopped-periods.ts";
import { type Row, type Statement, statement, type Transaction } from "../../database/database.ts";
import { markTable } from "../../schema/layout/account-tables.ts";
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
  /** as it was read; absent: it is new */
  stored?: StoredRow;
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

type NullableMomentColumn =
  | "actual_response_at"
  | "actual_resolution_at"
  | "downtime_start_at"
  | "downtime_end_at"
  | "desired_completion_at"
  | "notify_at";

/** A row as it is stored: moments are texts. */
type StoredRow = Omit<
  AffectedSlaRow,
  NullableMomentColumn | "started_at" | "stopped_periods" | "notified" | "stored"
> & {
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
  stored: row,
});

// biome-ignore format: a table keeps its columns
const columnTypes: Readonly<Record<string, "integer" | "text" | "timestamptz" | "boolean" | "jsonb">> = {
  sla_id: "integer", service_instance_id: "integer", accountability: "text", impact: "text", standard_service_request_id: "integer",
  support_team_id: "integer", first_line_team_id: "integer", supplier_id: "integer", support_hours_id: "integer", service_hours_id: "integer",
  time_zone: "text", started_at: "timestamptz", stopped_clock_at: "timestamptz", stopped_clock_duration: "integer",
  maximum_response_duration: "integer", maximum_resolution_duration: "integer", maximum_response_duration_in_days: "integer",
  maximum_resolution_duration_in_days: "integer", response_target_at: "timestamptz", resolution_target_at: "timestamptz",
  actual_response_at: "timestamptz", actual_response_duration: "integer", actual_resolution_at: "timestamptz", actual_resolution_duration: "integer",
  downtime_start_at: "timestamptz", downtime_end_at: "timestamptz", downtime_duration: "integer", desired_completion_at: "timestamptz",
  next_target_at: "text", provider_not_accountable: "boolean", provider_was_not_accountable: "boolean", covers_requester: "boolean",
  stopped_periods: "jsonb", notified: "jsonb", notify_at: "timestamptz",
};
const columns = Object.keys(columnTypes);

// Column by column: PostgreSQL looks up the type of every column of every row that it writes as JSON (D-644).
const storedColumns = ["id", ...columns];
const table = markTable("affected_slas", "$1");
const selectRowsOfRequest = statement(
  `SELECT ${storedColumns.map((name) => (columnTypes[name] === "timestamptz" ? `f.${name} AT TIME ZONE 'UTC'` : `f.${name}`)).join(", ")}
FROM ${table} f WHERE f.account_id = $1 AND f.request_id = $2 ORDER BY f.id`,
);
const parsers: Readonly<Record<(typeof columnTypes)[string], (text: string) => unknown>> = {
  integer: Number,
  text: (text) => text,
  timestamptz: (text) => `${text.replace(" ", "T")}Z`,
  boolean: (text) => text === "t",
  jsonb: (text) => JSON.parse(text),
};
const columnParsers = storedColumns.map((name) => [name, parsers[columnTypes[name] ?? "integer"]] as const);
const blankRow: Record<string, unknown> = JSON.parse(`{${storedColumns.map((name) => `"${name}":null`)}}`);

function readStoredRow(row: Row): StoredRow {
  const stored = { ...blankRow };
  for (const [at, [name, parse]] of columnParsers.entries()) {
    const text = row[at];
    if (text != null) stored[name] = parse(text);
  }
  return stored as StoredRow;
}

/** Sends what `loadAffectedSlaRows` will ask for. */
export const readAffectedSlaRowsAhead = (tx: Transaction, account: string, request: number): void =>
  tx.readAhead(selectRowsOfRequest, [account, request]);

export async function loadAffectedSlaRows(
  tx: Pick<Transaction, "query">,
  account: string,
  request: number,
): Promise<AffectedSlaRow[]> {
  const rows = await tx.query(selectRowsOfRequest, [account, request]);
  return rows.map((row) => parseRow(readStoredRow(row)));
}

// Only columns that have something to say are written: most of the thirty-five are empty, or stay as they are.

/** A request rarely affects more SLAs; larger numbers have one statement for all of them. */
const maxListedRows = 6;

/** For few rows a list of values, for many a list per column: PostgreSQL makes a temporary table of each of those. */
function buildInput(names: readonly string[], first: number, count: number | null): string {
  const getType = (name: string) => columnTypes[name] ?? "integer";
  const alias = `AS n (${names.join(", ")})`;
  if (count === null)
    return `unnest(${names.map((name, at) => `$${first + at}::${getType(name)}[]`).join(", ")}) ${alias}`;
  const rows = Array.from({ length: count }, (_, row) =>
    names.map((name, at) => `$${first + row * names.length + at}::${getType(name)}`).join(", "),
  );
  return `(VALUES ${rows.map((row) => `(${row})`).join(", ")}) ${alias}`;
}
const buildInsert = (names: readonly string[], count: number | null): string =>
  `INSERT INTO ${table} (account_id, request_id, created_at, updated_at, ${names.join(", ")})
SELECT $1, $2, $3, $3, ${names.map((name) => `n.${name}`).join(", ")} FROM ${buildInput(names, 4, count)}`;
/** `common`: columns that have the same value in all rows */
const buildInsertWithCommon = (names: readonly string[], common: readonly string[], count: number): string =>
  `INSERT INTO ${table} (account_id, request_id, created_at, updated_at, ${[...common, ...names].join(", ")})
SELECT $1, $2, $3, $3, ${[...common.map((name, at) => `$${at + 4}::${columnTypes[name]}`), ...names.map((name) => `n.${name}`)].join(", ")}
FROM ${buildInput(names, common.length + 4, count)}`;
const buildUpdate = (names: readonly string[], count: number | null): string =>
  `UPDATE ${table} f SET ${names.map((name) => `${name} = n.${name}`).join(", ")}, updated_at = $3
FROM ${buildInput(["id", ...names], 4, count)} WHERE f.id = n.id AND f.account_id = $1 AND f.request_id = $2`;
const builders = { insert: buildInsert, update: buildUpdate };
const statements = new Map<string, Statement>();

/** By what is written; saves write few combinations of columns. */
function pickStatement(key: string, build: () => string): Statement {
  const built = statements.get(key) ?? statement(build());
  if (statements.size < 200) statements.set(key, built);
  return built;
}

const updateNotified = statement(
  "UPDATE affected_slas SET notified = $3, notify_at = $4 WHERE id = $1 AND account_id = $2",
);

/** The values of an affected SLA by the names of its columns. */
type ColumnValues = Readonly<Record<string, string | number | boolean | null>>;

const listColumnValues = ({ row, times }: RowWithTimes): ColumnValues => ({
  id: row.id,
  sla_id: row.sla_id,
  service_instance_id: row.service_instance_id,
  accountability: row.accountability,
  impact: row.impact,
  standard_service_request_id: row.standard_service_request_id,
  support_team_id: row.support_team_id,
  first_line_team_id: row.first_line_team_id,
  supplier_id: row.supplier_id,
  support_hours_id: row.support_hours_id,
  service_hours_id: row.service_hours_id,
  time_zone: row.time_zone,
  started_at: formatMomentOrNull(row.started_at),
  stopped_clock_at: formatMomentOrNull(times.stopped_clock_at),
  stopped_clock_duration: times.stopped_clock_duration,
  maximum_response_duration: row.maximum_response_duration,
  maximum_resolution_duration: row.maximum_resolution_duration,
  maximum_response_duration_in_days: row.maximum_response_duration_in_days,
  maximum_resolution_duration_in_days: row.maximum_resolution_duration_in_days,
  response_target_at: formatMomentOrNull(times.response_target_at),
  resolution_target_at: formatMomentOrNull(times.resolution_target_at),
  actual_response_at: formatMomentOrNull(row.actual_response_at),
  actual_response_duration: times.actual_response_duration,
  actual_resolution_at: formatMomentOrNull(row.actual_resolution_at),
  actual_resolution_duration: times.actual_resolution_duration,
  downtime_start_at: formatMomentOrNull(row.downtime_start_at),
  downtime_end_at: formatMomentOrNull(row.downtime_end_at),
  downtime_duration: times.downtime_duration,
  desired_completion_at: formatMomentOrNull(row.desired_completion_at),
  next_target_at: formatTarget(times.next_target_at),
  provider_not_accountable: row.provider_not_accountable,
  provider_was_not_accountable: times.provider_was_not_accountable,
  covers_requester: row.covers_requester,
  stopped_periods: JSON.stringify(
    row.stopped_periods.map((period) => ({
      ...period,
      from: formatMomentOrNull(period.from),
      to: formatMomentOrNull(period.to),
    })),
  ),
  notified: JSON.stringify(row.notified),
  notify_at: formatMomentOrNull(row.notify_at),
});

const emptyList = "[]";

/** A new row leaves out what is empty; an empty list is stored as null. */
const isWorthStoring = (name: string, value: ColumnValues[string] | undefined): boolean =>
  value != null && !(columnTypes[name] === "jsonb" && value === emptyList);

/** Whether a column keeps its value. */
function isKept(name: string, stored: StoredRow, written: ColumnValues): boolean {
  const [old, now] = [(stored as unknown as Record<string, unknown>)[name] ?? null, written[name] ?? null];
  if (old === now) return true;
  const kind = columnTypes[name];
  if (kind === "jsonb" && old === null) return now === emptyList;
  if (old === null || now === null) return false;
  if (kind === "timestamptz") return Date.parse(old as string) === Date.parse(now as string);
  return kind === "jsonb" && isDeepStrictEqual(old, JSON.parse(now as string));
}

export const formatTarget = (target: SlaTimes["next_target_at"]): string | null =>
  typeof target === "number" ? formatMomentOrNull(target) : target;

/** Rows without an id are new; of the others, what differs from the stored rows is written. */
export function writeAffectedSlaRows(
  tx: Transaction,
  { account, request, now }: { account: string; request: number; now: string },
  rows: readonly RowWithTimes[],
): void {
  const record = [account, request, now];
  const written = rows.map((each) => ({ stored: each.row.stored ?? null, values: listColumnValues(each) }));
  const write = (kind: keyof typeof builders, names: readonly string[], of: readonly { values: ColumnValues }[]) => {
    const members = kind === "update" ? ["id", ...names] : names;
    const count = of.length <= maxListedRows ? of.length : null;
    const built = pickStatement(`${kind} ${count} ${names.join()}`, () => builders[kind](names, count));
    const items =
      count === null
        ? members.map((name) => of.map(({ values }) => toItem(values[name])))
        : of.flatMap(({ values }) => members.map((name) => toItem(values[name])));
    tx.send(built, [...record, ...items]);
  };
  const added = written.filter(({ values }) => values.id === null);
  const filled = columns.filter((name) => added.some(({ values }) => isWorthStoring(name, values[name])));
  const [first] = added;
  if (first !== undefined && added.length <= maxListedRows) {
    // The SLAs of one request differ in little: what they have in common is sent once (D-724).
    const isCommon = (name: string) =>
      name !== "sla_id" && added.every(({ values }) => values[name] === first.values[name]);
    const common = filled.filter(isCommon);
    const own = filled.filter((name) => !isCommon(name));
    const built = pickStatement(`insert ${added.length} ${own.join()} ${common.join()}`, () =>
      buildInsertWithCommon(own, common, added.length),
    );
    const items = added.flatMap(({ values }) => own.map((name) => toItem(values[name])));
    tx.send(built, [...record, ...common.map((name) => toItem(first.values[name])), ...items]);
  } else if (first !== undefined) write("insert", filled, added);
  const differs = (name: string, { stored, values }: (typeof written)[number]) =>
    stored === null || !isKept(name, stored, values);
  const changed = written.filter((each) => each.values.id !== null && columns.some((name) => differs(name, each)));
  const changing = columns.filter((name) => changed.some((each) => differs(name, each)));
  if (changed.length > 0) write("update", changing, changed);
}

const toItem = (value: ColumnValues[string] | undefined): string | number | null =>
  typeof value === "boolean" ? String(value) : (value ?? null);

export const writeSentNotifications = (tx: Transaction, account: string, row: AffectedSlaRow): void =>
  tx.send(updateNotified, [row.id, account, JSON.stringify(row.notified), formatMomentOrNull(row.notify_at)]);
