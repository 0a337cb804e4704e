import { enumerations } from "../../../records/enumerations/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import type { BodyContext, JsonSchema, KindDescription, SchemaContext } from "./description.ts";
import { completeRecurrence, inputMembers, listRecurrenceMembers, serviceMembers } from "./recurrence-rule.ts";

// One schema for all recurrences; fields that do not support some members leave those out.

type RecurrenceField = Extract<Field, { kind: "recurrence" }>;

const describeText = (description: string): JsonSchema => ({ type: "string", description });

// biome-ignore format: a table keeps its columns
const memberSchemas: Record<string, JsonSchema> = {
  interval:               { type: "integer", minimum: 1, maximum: 999, description: "every how many days, weeks, months or years" },
  disabled:               { type: "boolean", description: "temporarily off" },
  time_of_day:            { type: "string", pattern: "^\\d\\d:\\d\\d$" },
  time_zone:              describeText("zone of `time_of_day`: a name of the enumeration time_zone; IANA time zone names are also accepted"),
  start_date:             { type: "string", format: "date" },
  end_date:               { type: "string", format: "date", description: "the last possible day" },
  day:                    describeText("days of the week, 0 (Sunday) to 6 (Saturday), comma-separated; with daily and weekly"),
  day_of_month:           describeText("days of the month, 1 to 31, -1 for the last one, comma-separated; with monthly"),
  day_of_week:            { type: "boolean", description: "on weekdays of the month; with monthly and yearly" },
  day_of_week_day:        describeText("sunday to saturday, comma-separated; with `day_of_week`"),
  month_of_year:          describeText("months, 1 to 12, comma-separated; with yearly"),
  ical:                   describeText("the rule as iCalendar writes it, without the time of day"),
  next_occurrence_at:     { type: "string", format: "date-time" },
  last_occurrence_at:     { type: "string", format: "date-time" },
  last_occurrence_errors: describeText("why the last occurrence created nothing"),
  next_occurrence_errors: describeText("always null"),
};

const neverNull = new Set([
  "frequency",
  "interval",
  "disabled",
  "time_of_day",
  "time_zone",
  "start_date",
  "day_of_week",
]);
const readonlyMembers: readonly string[] = serviceMembers;

function describeMember(name: string, field: RecurrenceField, context: SchemaContext): JsonSchema {
  const describeChoice = (enumeration: "recurrence.frequency" | "recurrence.day_of_week_index") =>
    context.enumeration(enumeration, enumerations[enumeration]);
  if (name === "frequency") return describeChoice("recurrence.frequency");
  if (name === "day_of_week_index") return describeChoice("recurrence.day_of_week_index");
  if (name === "calendar") return context.reference(context.types.get(field.calendarType));
  if (name === "last_occurrence_object")
    return context.types.has(field.objectType)
      ? context.reference(context.types.get(field.objectType))
      : { type: "object" };
  return memberSchemas[name] as JsonSchema;
}

function describeOutput(field: RecurrenceField, context: SchemaContext): JsonSchema {
  const names = listRecurrenceMembers(field);
  const members = names.map((name) => {
    const schema = describeMember(name, field, context);
    const nullable = neverNull.has(name) ? schema : context.orNull(schema);
    return [name, readonlyMembers.includes(name) ? { ...nullable, readOnly: true } : nullable];
  });
  return { type: "object", required: names, properties: Object.fromEntries(members) };
}

function describeInput(field: RecurrenceField, context: BodyContext): JsonSchema {
  const names = inputMembers.filter((name) => !field.without.includes(name));
  const members = names.map((name) => [
    name,
    context.orNull(name === "calendar" ? context.referenceInput() : describeMember(name, field, context)),
  ]);
  const short = field.without.includes("calendar") ? {} : { calendar_id: { type: ["integer", "null"], minimum: 1 } };
  return {
    type: "object",
    description: "Omitted members keep their values; null clears a value.",
    properties: { ...Object.fromEntries(members), ...short },
  };
}

const exampleInput = {
  frequency: "weekly",
  interval: 2,
  time_of_day: "09:00",
  time_zone: "Amsterdam",
  start_date: "2031-02-03",
  day: "1,3",
};

export const recurrenceDescription: KindDescription<RecurrenceField> = {
  output: (field, context) =>
    field.without.length > 0
      ? describeOutput(field, context)
      : context.share("Recurrence", () => describeOutput(field, context)),
  input: (field, context) =>
    field.without.length > 0
      ? describeInput(field, context)
      : context.share("RecurrenceInput", () => describeInput(field, context)),
  isNeverNull: () => true, // a record without a recurrence leaves the member out
  example({ field }) {
    const { value } = completeRecurrence(field, exampleInput, "Amsterdam");
    const record: Record<string, unknown> = {
      ...value,
      ...("next_occurrence_at" in value ? { next_occurrence_at: "2031-02-03T09:00:00+01:00" } : {}),
    };
    return Object.fromEntries(listRecurrenceMembers(field).map((name) => [name, record[name] ?? null]));
  },
  exampleInput: (name, field) => [
    name,
    Object.fromEntries(Object.entries(exampleInput).filter(([member]) => !field.without.includes(member))),
  ],
};
