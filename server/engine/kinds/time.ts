import { Temporal } from "temporal-polyfill";
import { toTimestamp } from "../../base/clock.ts";
import { pickZoneName } from "../../base/time-zones.ts";
import { plainCell } from "./cell-forms.ts";
import { asScalar } from "./graph-form.ts";
import { equalAndRange, type FieldKind, type InputContext, jsonText, onlyEqual, Refusal, scalar } from "./kind.ts";

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

export const date: FieldKind = {
  column: "date",
  read(input) {
    const text = scalar(input, "is not a valid date").trim();
    const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
    if (match === null || Number(match[1]) < 1000 || !isDay(Number(match[1]), Number(match[2]), Number(match[3])))
      throw new Refusal("is not a valid date");
    return text;
  },
  parse: (text) => text,
  write: (text) => `"${text}"`,
  filter: equalAndRange,
  groups: "periods",
  graph: asScalar("ISO8601Date"),
  sqlType: "date",
  schema: () => ({ type: "string", format: "date" }),
  meaning: "day",
  describe: { example: ({ moment }) => moment().slice(0, 10) },
  cell: plainCell,
};

const datetimePattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+\- ]\d\d:?\d\d)?$/i;

const normalizeMidnight = (input: unknown): unknown =>
  typeof input === "string" ? input.replace(/(?<=[T ])12:00 ?am\s*$/i, "24:00") : input;

/** An instant in UTC, whole seconds: "2031-02-01T08:00:00Z". */
export function readDatetime(input: unknown, by: InputContext): string {
  const text = scalar(input, "is not a valid datetime").trim();
  const match = datetimePattern.exec(text);
  if (match === null) throw new Refusal("is not a valid datetime");
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const endOfDay = hour === 24 && minute === 0 && second === 0;
  if (!isDay(year, month, day) || (hour > 23 && !endOfDay) || minute > 59 || second > 59)
    throw new Refusal("is not a valid datetime");
  const zone = match[7];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  if (zone === undefined) {
    const wall = Temporal.PlainDateTime.from({ year, month, day, hour: endOfDay ? 0 : hour, minute, second }).add({
      days: endOfDay ? 1 : 0,
    });
    return toCheckedTimestamp(wall.toZonedDateTime(by.zone).epochMilliseconds);
  }
  if (zone.toUpperCase() === "Z") return toCheckedTimestamp(local);
  // A plus sign that a client did not encode arrives from a query as a blank.
  const sign = zone.startsWith("-") ? -1 : 1;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 14 || minutes > 59) throw new Refusal("is not a valid datetime");
  return toCheckedTimestamp(local - sign * (hours * 60 + minutes) * 60_000);
}

/** The first and the last instant that every zone shows with a year of four digits. */
const [earliest, latest] = [Date.UTC(1900, 0, 1), Date.UTC(9999, 11, 31)];

function toCheckedTimestamp(milliseconds: number): string {
  if (milliseconds < earliest || milliseconds > latest) throw new Refusal("is not a valid datetime");
  return toTimestamp(new Date(milliseconds));
}

/** PostgreSQL writes "2031-02-01 09:00:00+01" in the zone of the connection, which is the zone of the caller. */
export function writeDatetime(text: string): string {
  const offset = text.slice(19);
  if (offset.length > 6) return writeOldDatetime(text, offset);
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}${offset.length === 3 ? `${offset}:00` : offset}"`;
}

/** Offsets of the 19th century have seconds, which the wire cannot show: the same instant without them. */
function writeOldDatetime(text: string, offset: string): string {
  const shift = Number(offset.slice(7, 9)) * (offset.startsWith("-") ? -1 : 1);
  const local = new Date(Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`) - shift * 1000);
  return `"${local.toISOString().slice(0, 19)}${offset.slice(0, 6)}"`;
}

const parseInstant = (text: string): string =>
  text.length === 22 && text.endsWith("+00")
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}Z`
    : toTimestamp(new Date(JSON.parse(writeDatetime(text)) as string));

export const datetime: FieldKind = {
  column: "timestamp(0) with time zone",
  read: (input, { endOfPeriod }, by) => readDatetime(endOfPeriod ? normalizeMidnight(input) : input, by),
  parse: parseInstant,
  write: writeDatetime,
  filter: equalAndRange,
  groups: "periods",
  graph: asScalar("ISO8601Timestamp"),
  sqlType: "timestamptz",
  schema: () => ({ type: "string", format: "date-time" }),
  meaning: "moment",
  describe: { filterValues: () => "date and time", example: ({ moment }) => moment() },
  cell: { isFormulaSafe: true, format: (text) => JSON.parse(writeDatetime(text)) as string },
};

const localDatetimePattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+\- ]\d\d:?\d\d)?)?$/i;

/** A local date and time: an offset in the input is dropped, a date alone is its midnight. */
export const localDatetime: FieldKind = {
  column: "timestamp(0) without time zone",
  read(input) {
    const text = scalar(input, "is not a valid datetime").trim();
    const match = localDatetimePattern.exec(text);
    if (match === null) throw new Refusal("is not a valid datetime");
    const [year, month, day] = (match[1] as string).split("-").map(Number) as [number, number, number];
    const [hour, minute, second] = match.slice(2, 5).map((part) => Number(part ?? 0)) as [number, number, number];
    const endOfDay = hour === 24 && minute === 0 && second === 0;
    if (!isDay(year, month, day) || (hour > 23 && !endOfDay) || minute > 59 || second > 59)
      throw new Refusal("is not a valid datetime");
    return toCheckedTimestamp(Date.UTC(year, month - 1, day, hour, minute, second)).slice(0, 19);
  },
  parse: (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}`,
  write: (text) => `"${text.slice(0, 10)}T${text.slice(11, 19)}"`,
  filter: equalAndRange,
  graph: asScalar("ISO8601Timestamp"),
  sqlType: "timestamp",
  schema: () => ({
    type: "string",
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$",
    description: "local date and time, without offset",
  }),
  describe: {
    input: () => ({
      type: "string",
      description: "local date and time; an offset is dropped, a date alone is its midnight",
    }),
    filterValues: () => "local date and time",
    example: ({ moment }) => moment().slice(0, 19),
  },
  cell: { isFormulaSafe: true, format: (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}` },
};

const tokens = new Set(["best_effort", "clock_stopped", "no_target"]);

/** Instants first, then clock_stopped, best_effort, and rows without a target. */
export const buildTargetOrder = (column: string): string => `replace(${column}, 'best_effort', 'd')`;

/** A datetime or a token, stored as text: an instant in UTC, which sorts as time does, or the token. */
export const target: FieldKind = {
  column: "text",
  read: (input, _field, by) => (typeof input === "string" && tokens.has(input) ? input : readDatetime(input, by)),
  parse: (text) => text,
  write: (text) => jsonText(text),
  // The column holds UTC; PostgreSQL converts instants to the time zone of the connection, which is that of the caller.
  serialize: ({ column }) => ({
    columns: [
      `CASE WHEN ${column} LIKE '____-%' THEN to_json(${column}::timestamptz)::text ELSE to_json(${column})::text END`,
    ],
    write: (row, at) => row[at] ?? "null",
  }),
  filter: equalAndRange,
  // No record shows no_target: the filter finds records without a value.
  isBlankFilter: (value) => value === "no_target",
  // Tokens such as best_effort are no instants, so no range contains them.
  range: { isLimit: (value) => /^\d/.test(String(value)), condition: (column) => `${column} LIKE '____-%'` },
  orderExpression: buildTargetOrder,
  graph: asScalar("ISO8601Timestamp"),
  sqlType: "text",
  schema: () => ({ type: "string", description: "a datetime, or best_effort, clock_stopped, no_target" }),
  meaning: "target",
  describe: { example: ({ moment }) => moment() },
};

export const timeOfDay: FieldKind = {
  column: "text",
  read(input) {
    const text = scalar(input, "is not a valid time of day").trim();
    if (!/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)) throw new Refusal("is not a valid time of day");
    return text;
  },
  parse: (text) => text,
  write: (text) => `"${text}"`,
  filter: equalAndRange,
  graph: asScalar("ISO8601Time"),
  sqlType: "text",
  schema: () => ({ type: "string", pattern: "^\\d\\d:\\d\\d$" }),
  describe: {
    filterValues: () => "hh:mm",
    example: ({ name }) => (name.endsWith("_until") ? "17:30" : "09:00"),
  },
  cell: plainCell,
};

export const timeZone: FieldKind = {
  column: "text",
  read(input, _field, by) {
    const name = pickZoneName(scalar(input, "is not a valid time zone").trim(), by.now);
    if (name === null) throw new Refusal("is not a valid time zone");
    return name;
  },
  parse: (text) => text,
  write: jsonText,
  filter: onlyEqual,
  graph: asScalar("TimeZone"),
  sqlType: "text",
  schema: () => ({
    type: "string",
    description: "a name of the enumeration time_zone; IANA time zone names are also accepted",
  }),
  describe: { example: () => "Amsterdam" },
};
