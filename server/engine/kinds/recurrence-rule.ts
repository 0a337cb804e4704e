import { enumerations } from "../../../records/enumerations/index.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { Refusal } from "./kind.ts";

// The rule of a recurrence: its members, what is complete, and its form in iCalendar. RC9, RC10, RC15.

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

const dayNames: readonly string[] = enumerations.day_names;

export const memberProblem = (member: string, text: string, values: Record<string, string | number> = {}): Refusal =>
  new Refusal(`{member} ${text}`, { member, ...values });

/** A complete recurrence from stored and given members: defaults filled in, unused members cleared, all checked. */
export function completeRecurrence(
  field: { without: readonly string[] },
  given: Readonly<Record<string, unknown>>,
  zone: string,
): { value: Recurrence; problems: Refusal[] } {
  const problems: Refusal[] = [];
  const has = (member: string) => !field.without.includes(member);
  const pick = <T>(member: string, otherwise: T): T => (given[member] as T | null | undefined) ?? otherwise;
  const frequency = pick<string>("frequency", "no_repeat");
  const byWeekday = pick("day_of_week", false);
  const daily = frequency === "daily" || frequency === "weekly";
  const monthly = frequency === "monthly";
  const yearly = frequency === "yearly";
  const used = (wanted: boolean, member: string) => (wanted ? pick<string | null>(member, null) : null);
  const value: Recurrence = {
    frequency,
    interval: pick("interval", 1),
    calendar_id: pick<number | null>("calendar_id", null),
    disabled: pick("disabled", false),
    time_of_day: pick("time_of_day", ""),
    time_zone: pick("time_zone", zone),
    start_date: used(has("start_date"), "start_date"),
    end_date: used(has("end_date"), "end_date"),
    day: used(daily, "day"),
    day_of_month: used(monthly && !byWeekday, "day_of_month"),
    day_of_week: byWeekday,
    day_of_week_index: byWeekday ? pick("day_of_week_index", "first") : null,
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
  const fromService: Record<string, unknown> = {};
  for (const member of serviceMembers)
    if (has(member) && member !== "ical") {
      const name = member === "last_occurrence_object" ? "last_occurrence_object_id" : member;
      fromService[name] = given[name] ?? null;
    }
  const ical = has("ical") && problems.length === 0 ? { ical: buildIcal(value) } : {};
  return { value: { ...value, ...fromService, ...ical }, problems };
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
