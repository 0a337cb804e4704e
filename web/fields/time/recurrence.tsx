import { Input, Stack, Text } from "@mantine/core";
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
import { fieldLabel } from "../../languages/labels.ts";
import { boolean } from "../boolean.tsx";
import { enumeration } from "../enum.tsx";
import type { EditProps, FieldKind, FieldWithKind, ShowProps, Value } from "../field-kind.ts";
import { integer } from "../number.tsx";
import { reference } from "../references/reference.tsx";
import { string } from "../string.tsx";
import { date } from "./date.tsx";
import { datetime } from "./datetime.tsx";
import { NextDates } from "./next-dates.tsx";
import { describeRecurrence } from "./recurrence-sentence.ts";
import { timeOfDay } from "./time-of-day.tsx";
import { months, weekdayNames, weekdayNumbers } from "./weekdays-and-months.tsx";

// When something comes again: a small form whose fields depend on how often. RC9

type Hash = Readonly<Record<string, Value>>;
type Member = { field: Field; kind: FieldKind; used(hash: Hash): boolean };

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
const members: Readonly<Record<string, Member>> = {
  frequency:          { field: opt(choice("recurrence.frequency")),                   kind: enumeration,    used: isAlwaysUsed },
  interval:           { field: opt(integerKind({ min: 1, max: 999 })),                kind: integer,        used: repeats },
  start_date:         { field: opt(dateKind),                                         kind: date,           used: hasAnyFrequency },
  end_date:           { field: opt(dateKind),                                         kind: date,           used: repeats },
  time_of_day:        { field: opt(timeOfDayKind),                                    kind: timeOfDay,      used: hasAnyFrequency },
  time_zone:          { field: opt(timeZone),                                         kind: enumeration,    used: hasAnyFrequency },
  day:                { field: opt(stringKind()),                                     kind: weekdayNumbers, used: hasFrequency("daily", "weekly") },
  day_of_week:        { field: opt(booleanKind),                                      kind: boolean,        used: byDay },
  day_of_week_index:  { field: opt(choice("recurrence.day_of_week_index")),           kind: enumeration,    used: onDaysOfWeek },
  day_of_week_day:    { field: opt(stringKind()),                                     kind: weekdayNames,   used: onDaysOfWeek },
  day_of_month:       { field: opt(stringKind(), "1,15 or -1 for the last"),          kind: string,         used: (hash) => hash.frequency === "monthly" && hash.day_of_week !== true },
  month_of_year:      { field: opt(stringKind()),                                     kind: months,         used: hasFrequency("yearly") },
  calendar:           { field: opt(ref("calendar")),                                  kind: reference,      used: hasAnyFrequency },
  disabled:           { field: opt(booleanKind),                                      kind: boolean,        used: hasAnyFrequency },
  next_occurrence_at: { field: ro(datetimeKind),                                      kind: datetime,       used: repeats },
  last_occurrence_at: { field: ro(datetimeKind),                                      kind: datetime,       used: repeats },
};

/** The members of a field that count, given what is chosen. */
function pickMembers(field: unknown, hash: Hash): [string, Member][] {
  const { without } = field as FieldWithKind<"recurrence">;
  return Object.entries(members).filter(([name, member]) => !without.includes(name) && member.used(hash));
}

/** What the sentence says, so that it is not said twice. */
const membersInSentence = [
  ...["frequency", "interval", "time_of_day", "time_zone", "day", "day_of_week", "day_of_week_index"],
  ...["day_of_week_day", "day_of_month", "month_of_year"],
];

function Show({ field, value, row }: ShowProps) {
  const hash = value as Hash;
  const sentence = describeRecurrence(hash);
  const told = pickMembers(field, hash).filter(
    ([name]) => hash[name] != null && hash[name] !== false && (sentence === null || !membersInSentence.includes(name)),
  );
  return (
    <Stack gap={2}>
      {sentence !== null && (
        <div>
          {sentence}{" "}
          <Text span c="dimmed" size="sm">
            {hash.time_zone}
          </Text>
        </div>
      )}
      {told.map(([name, { field: inner, kind }]) => (
        <div key={name}>
          <Text span c="dimmed" size="sm">
            {fieldLabel(name)}:{" "}
          </Text>
          <kind.Show name={name} field={inner} value={hash[name]} row={row} />
        </div>
      ))}
    </Stack>
  );
}

/** What a form begins with, so that the first choice of a frequency makes a whole. */
const initialRecurrence: Hash = { interval: 1, day_of_week: false, disabled: false };

function Edit({ name, field, label, value, onChange, error }: EditProps) {
  const hash: Hash = value ?? {};
  const { without } = field as FieldWithKind<"recurrence">;
  const begun = Object.fromEntries(Object.entries(initialRecurrence).filter(([member]) => !without.includes(member)));
  const set = (member: string, wanted: Value) => {
    if (member === "frequency" && wanted === null) onChange(null);
    else onChange({ ...begun, ...hash, [member]: wanted });
  };
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      {field.note !== undefined && <Input.Description mb="xs">{field.note}</Input.Description>}
      <div className="fields">
        {pickMembers(field, hash).map(([member, { field: inner, kind }]) => {
          const { Edit: Inner } = kind;
          if (Inner === undefined || inner.access === "readonly") return null;
          return (
            <Inner
              key={member}
              name={`${name}.${member}`}
              field={inner}
              label={fieldLabel(member)}
              value={hash[member]}
              onChange={(wanted) => set(member, wanted)}
              required={false}
            />
          );
        })}
      </div>
      {hash.frequency != null && !without.includes("start_date") && <NextDates recurrence={toWire(hash)} />}
      {error !== undefined && (
        <Input.Error mt="xs" role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}

/** Only what may be written and is in use: the rest is the server's. */
function toWire(value: Hash | null | undefined): unknown {
  if (value == null) return null;
  const wanted: Record<string, Value> = {};
  for (const [name, { field, kind, used }] of Object.entries(members))
    if (field.access !== "readonly" && used(value) && value[name] !== undefined)
      wanted[name] = kind.toWire === undefined ? value[name] : kind.toWire(value[name]);
  return wanted;
}

export const recurrence: FieldKind = { Show, Edit, toWire, wide: true };
