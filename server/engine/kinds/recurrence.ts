import { enumerations } from "../../../records/enumerations/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { boolean } from "./boolean.ts";
import {
  type FieldKind,
  type InputContext,
  type MemberSerializer,
  Refusal,
  type SerializeContext,
  scalar,
  type Value,
} from "./kind.ts";
import { layOutMembers } from "./member-list.ts";
import { readInteger } from "./number.ts";
import { readId, serializeReferenceBy } from "./reference.ts";
import { date, timeOfDay, timeZone } from "./time.ts";

// Recurrence: RC9, RC10, RC15. One JSON object; an update names the members it changes.

type RecurrenceField = Extract<Field, { kind: "recurrence" }>;

/** The stored value. The calendar and the last object are ids, the occurrences instants in UTC. */
export type Recurrence = { readonly [member: string]: unknown } & {
  frequency: string;
  interval: number;
  calendar_id: number | null;
  disabled: boolean;
  time_of_day: string;
  time_zone: string;
  start_date: string | null;
  end_date: string | null;
  day: string | null;
  day_of_month: string | null;
  day_of_week: boolean;
  day_of_week_index: string | null;
  day_of_week_day: string | null;
  month_of_year: string | null;
};

/** Members in the order of responses; only the service writes those of the second list. */
export const inputMembers = [
  "frequency",
  "interval",
  "calendar",
  "disabled",
  "time_of_day",
  "time_zone",
  "start_date",
  "end_date",
  "day",
  "day_of_month",
  "day_of_week",
  "day_of_week_index",
  "day_of_week_day",
  "month_of_year",
] as const;
export const serviceMembers = [
  "ical",
  "next_occurrence_at",
  "last_occurrence_at",
  "last_occurrence_object",
  "last_occurrence_errors",
  "next_occurrence_errors",
] as const;

export const listRecurrenceMembers = (field: { without: readonly string[] }): string[] =>
  [...inputMembers, ...serviceMembers].filter((member) => !field.without.includes(member));

const frequencies: readonly string[] = enumerations["recurrence.frequency"];
const weekIndexes: readonly string[] = enumerations["recurrence.day_of_week_index"];
const dayNames: readonly string[] = enumerations.day_names;

function readOneOf(input: unknown, list: readonly string[]): string {
  const text = scalar(input, "is not included in the list");
  if (!list.includes(text)) throw new Refusal("is not included in the list");
  return text;
}

/** "1,15,-1", a list, or a single entry: each once, in the order given. */
function readList(input: unknown, isEntry: (entry: string) => boolean): string | null {
  const entries = (Array.isArray(input) ? input : scalar(input, "is not a valid list").split(",")).map((entry) =>
    scalar(entry, "is not a valid list").trim(),
  );
  if (entries.length > 100) throw new Refusal("is not a valid list");
  if (entries.every((entry) => entry === "")) return null;
  if (!entries.every(isEntry)) throw new Refusal("is not included in the list");
  return [...new Set(entries)].join(",");
}
const readNumbers = (from: number, to: number, other?: string) => (input: unknown) =>
  readList(
    input,
    (entry) => entry === other || (/^[1-9]?\d$/.test(entry) && Number(entry) >= from && Number(entry) <= to),
  );

type MemberReader = (input: unknown, by: InputContext) => unknown;
const readAs = (kind: FieldKind): MemberReader => {
  const plain = { access: "optional" } as unknown as Field;
  return (input, by) => kind.read(input, plain, by);
};

const readers: Record<(typeof inputMembers)[number], MemberReader> = {
  frequency: (input) => readOneOf(input, frequencies),
  interval: (input) => readInteger(input, 1, 999),
  calendar: readId,
  disabled: readAs(boolean),
  time_of_day: readAs(timeOfDay),
  time_zone: readAs(timeZone),
  start_date: readAs(date),
  end_date: readAs(date),
  day: readNumbers(0, 6),
  day_of_month: readNumbers(1, 31, "-1"),
  day_of_week: readAs(boolean),
  day_of_week_index: (input) => readOneOf(input, weekIndexes),
  day_of_week_day: (input) => readList(input, (entry) => dayNames.includes(entry)),
  month_of_year: readNumbers(1, 12),
};

/** The given members, each read on its own. Members of the service and unknown members are ignored. */
function read(input: unknown, field: RecurrenceField, by: InputContext): Value {
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Refusal("is not a valid object");
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const member = name === "calendar_id" ? "calendar" : name;
    if (!Object.hasOwn(readers, member) || field.without.includes(member)) continue;
    const kept = member === "calendar" ? "calendar_id" : member;
    try {
      const blank = value === null || value === undefined || value === "";
      given[kept] = blank ? null : readers[member as keyof typeof readers](value, by);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw memberProblem(member, error.message, error.values);
    }
  }
  return given;
}

const memberProblem = (member: string, text: string, values: Record<string, string | number> = {}): Refusal =>
  new Refusal(`{member} ${text}`, { member, ...values });

/** A complete recurrence from stored and given members: defaults filled in, unused members cleared, all checked. */
export function completeRecurrence(
  field: { without: readonly string[] },
  given: Readonly<Record<string, unknown>>,
  zone: string,
): { value: Recurrence; problems: Refusal[] } {
  const problems: Refusal[] = [];
  const has = (member: string) => !field.without.includes(member);
  const said = <T>(member: string, otherwise: T): T => (given[member] as T | null | undefined) ?? otherwise;
  const frequency = said<string>("frequency", "no_repeat");
  const byWeekday = said("day_of_week", false);
  const daily = frequency === "daily" || frequency === "weekly";
  const monthly = frequency === "monthly";
  const yearly = frequency === "yearly";
  const used = (wanted: boolean, member: string) => (wanted ? said<string | null>(member, null) : null);
  const value: Recurrence = {
    frequency,
    interval: said("interval", 1),
    calendar_id: said<number | null>("calendar_id", null),
    disabled: said("disabled", false),
    time_of_day: said("time_of_day", ""),
    time_zone: said("time_zone", zone),
    start_date: used(has("start_date"), "start_date"),
    end_date: used(has("end_date"), "end_date"),
    day: used(daily, "day"),
    day_of_month: used(monthly && !byWeekday, "day_of_month"),
    day_of_week: byWeekday,
    day_of_week_index: byWeekday ? said("day_of_week_index", "first") : null,
    day_of_week_day: used(byWeekday, "day_of_week_day"),
    month_of_year: used(yearly, "month_of_year"),
  };
  const needed = [
    "time_of_day",
    ...(has("start_date") ? ["start_date"] : []),
    ...(monthly && !byWeekday ? ["day_of_month"] : []),
    ...(byWeekday ? ["day_of_week_day"] : []),
    ...(yearly ? ["month_of_year"] : []),
  ];
  for (const member of needed) if (!value[member]) problems.push(memberProblem(member, "can't be blank"));
  if (byWeekday && !monthly && !yearly)
    problems.push(memberProblem("day_of_week", "may be true only when frequency is monthly or yearly"));
  if (value.start_date !== null && value.end_date !== null && value.end_date < value.start_date)
    problems.push(memberProblem("end_date", "must not be before start_date"));
  const kept: Record<string, unknown> = {};
  for (const member of serviceMembers)
    if (has(member) && member !== "ical") {
      const name = member === "last_occurrence_object" ? "last_occurrence_object_id" : member;
      kept[name] = given[name] ?? null;
    }
  const ical = has("ical") && problems.length === 0 ? { ical: buildIcal(value) } : {};
  return { value: { ...value, ...kept, ...ical }, problems };
}

const dayCodes = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const icalWeekIndexes: Record<string, string> = { first: "1", second: "2", third: "3", fourth: "4", last: "-1" };
const compactDate = (day: string) => day.replaceAll("-", "");

/** The rule in iCalendar syntax, without the time of day. */
export function buildIcal(rule: Recurrence): string | null {
  if (rule.start_date === null) return null;
  const start = `DTSTART;TZID=${toIanaZone(rule.time_zone)}:${compactDate(rule.start_date)}T000000`;
  if (rule.frequency === "no_repeat") return start;
  const place = icalWeekIndexes[rule.day_of_week_index ?? ""] ?? "";
  const byDay = rule.day_of_week
    ? (rule.day_of_week_day ?? "").split(",").map((name) => `${place}${dayCodes[dayNames.indexOf(name)]}`)
    : rule.day?.split(",").map((number) => dayCodes[Number(number)]);
  const byMonthDay =
    rule.frequency === "yearly" && !rule.day_of_week ? String(Number(rule.start_date.slice(8))) : rule.day_of_month;
  const parts = [
    `FREQ=${rule.frequency.toUpperCase()}`,
    rule.interval === 1 ? null : `INTERVAL=${rule.interval}`,
    rule.month_of_year === null ? null : `BYMONTH=${rule.month_of_year}`,
    byMonthDay === null ? null : `BYMONTHDAY=${byMonthDay}`,
    byDay === undefined ? null : `BYDAY=${byDay.join(",")}`,
    rule.end_date === null ? null : `UNTIL=${compactDate(rule.end_date)}T235959`,
  ];
  return `${start}\nRRULE:${parts.filter((part) => part !== null).join(";")}`;
}

/** The written members, those of the service, and references to the records that both name. */
function serialize(context: SerializeContext<RecurrenceField>): MemberSerializer {
  const { field, column, types } = context;
  const members = listRecurrenceMembers(field);
  const instant = (member: string): MemberSerializer => ({
    columns: [`to_json((${column}->>'${member}')::timestamptz)::text`],
    write: (row, at) => row[at] ?? "null",
  });
  const reference = (member: string, to: string): MemberSerializer =>
    types.has(to)
      ? serializeReferenceBy(context, types.get(to), `(${column}->>'${member}_id')::integer`)
      : { columns: [], write: () => "null" };
  const special: Record<string, () => MemberSerializer> = {
    calendar: () => reference("calendar", field.calendarType),
    last_occurrence_object: () => reference("last_occurrence_object", field.objectType),
    next_occurrence_at: () => instant("next_occurrence_at"),
    last_occurrence_at: () => instant("last_occurrence_at"),
  };
  const selected = members.filter((member) => member in special);
  const { columns, parts } = layOutMembers(
    selected.map((member) => (special[member] as () => MemberSerializer)()),
    1,
  );
  return {
    columns: [column, ...columns],
    write(row, at, viewer) {
      const text = row[at];
      if (text === null || text === undefined) return "null";
      const stored = JSON.parse(text) as Record<string, unknown>;
      const written = members.map((member) => {
        const position = parts[selected.indexOf(member)];
        const json = position?.part.write(row, at + position.at, viewer) ?? JSON.stringify(stored[member] ?? null);
        return `"${member}":${json}`;
      });
      return `{${written.join(",")}}`;
    },
  };
}

export const recurrence: FieldKind<RecurrenceField> = {
  column: "jsonb",
  isJson: true,
  read,
  merge: (before, given) => ({ ...(before as object), ...(given as object) }),
  complete: (value, field, zone) => completeRecurrence(field, value as Record<string, unknown>, zone),
  parse: (text) => JSON.parse(text) as Value,
  newReferences(field, before, after) {
    const [old, now] = [before, after].map((value) => (value as Recurrence | null | undefined)?.calendar_id);
    return now == null || now === old
      ? null
      : {
          ids: [now],
          targets: [field.calendarType],
          missing: "calendar is not valid",
          disabled: "calendar is disabled",
        };
  },
  write: (text) => text,
  serialize,
  omitsNull: true,
  filter: null,
  sqlType: "jsonb",
  schema: () => ({ type: "object" }),
  check({ field, types, report }) {
    if (!field.without.includes("calendar") && !types.has(field.calendarType))
      report(`names the record type "${field.calendarType}", which does not exist`);
  },
};
