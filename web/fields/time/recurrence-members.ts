import {
  boolean as booleanKind,
  choice,
  date as dateKind,
  datetime as datetimeKind,
  type Field,
  integer as integerKind,
  opt,
  ref,
  ro,
  string as stringKind,
  timeOfDay as timeOfDayKind,
  timeZone,
} from "../../../records/vocabulary/index.ts";
import { ofKind, type Value } from "../field-kind.ts";

// The members of a recurrence, and when each of them applies. RC9

export type Hash = Readonly<Record<string, Value>>;
type Member = { field: Field; used(hash: Hash): boolean };

const isAlwaysUsed = () => true;
const hasAnyFrequency = ({ frequency }: Hash) => frequency != null;
const repeats = ({ frequency }: Hash) => frequency != null && frequency !== "no_repeat";
const hasFrequency =
  (...frequencies: string[]) =>
  (hash: Hash) =>
    frequencies.includes(hash.frequency);
const byDay = hasFrequency("monthly", "yearly");
const onDaysOfWeek = (hash: Hash) => byDay(hash) && hash.day_of_week === true;

// biome-ignore format: a table keeps its columns
export const members = {
  frequency:          { field: opt(choice("recurrence.frequency")),          used: isAlwaysUsed },
  interval:           { field: opt(integerKind({ min: 1, max: 999 })),       used: repeats },
  start_date:         { field: opt(dateKind),                                used: hasAnyFrequency },
  end_date:           { field: opt(dateKind),                                used: repeats },
  time_of_day:        { field: opt(timeOfDayKind),                           used: hasAnyFrequency },
  time_zone:          { field: opt(timeZone),                                used: hasAnyFrequency },
  day:                { field: opt(stringKind()),                            used: hasFrequency("daily", "weekly") },
  day_of_week:        { field: opt(booleanKind),                             used: byDay },
  day_of_week_index:  { field: opt(choice("recurrence.day_of_week_index")),  used: onDaysOfWeek },
  day_of_week_day:    { field: opt(stringKind()),                            used: onDaysOfWeek },
  day_of_month:       { field: opt(stringKind(), "1,15 or -1 for the last"), used: (hash) => hash.frequency === "monthly" && hash.day_of_week !== true },
  month_of_year:      { field: opt(stringKind()),                            used: hasFrequency("yearly") },
  calendar:           { field: opt(ref("calendar")),                         used: hasAnyFrequency },
  disabled:           { field: opt(booleanKind),                             used: hasAnyFrequency },
  next_occurrence_at: { field: ro(datetimeKind),                             used: repeats },
  last_occurrence_at: { field: ro(datetimeKind),                             used: repeats },
} satisfies Record<string, Member>;
export type MemberName = keyof typeof members;

/** The members of a field that apply to the chosen values. */
export function pickMembers(field: Field, hash: Hash): [MemberName, Field][] {
  const { without } = ofKind(field, "recurrence");
  // Object.entries loses the names' type.
  return (Object.entries(members) as [MemberName, Member][])
    .filter(([name, member]) => !without.includes(name) && member.used(hash))
    .map(([name, member]) => [name, member.field]);
}

/** Only writable members that apply: the server sets the rest. */
export function toWire(value: Hash | null | undefined): unknown {
  if (value == null) return null;
  const wanted: Record<string, Value> = {};
  for (const [name, { field, used }] of Object.entries<Member>(members))
    if (field.access !== "readonly" && used(value) && value[name] !== undefined)
      wanted[name] = field.kind === "reference" ? (value[name]?.id ?? null) : value[name];
  return wanted;
}
