import { enumerations } from "../../../records/enumerations/index.ts";
import {
  completeRecurrence,
  inputMembers,
  listRecurrenceMembers,
  serviceMembers,
} from "../../engine/kinds/recurrence.ts";
import { orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildEnumerationSchema } from "./enumeration-schema.ts";
import { buildReferenceSchema } from "./reference-schemas.ts";

// One schema for all recurrences; fields that do not support some members leave those out.

type RecurrenceField = { without: readonly string[] };

const buildTextSchema = (description: string): Schema => ({ type: "string", description });

const buildChoiceSchema = (
  context: OpenApiContext,
  name: "recurrence.frequency" | "recurrence.day_of_week_index",
): Ref => buildEnumerationSchema(context, name, enumerations[name]);

// biome-ignore format: a table keeps its columns
const memberSchemas: Record<string, Schema> = {
  interval:               { type: "integer", minimum: 1, maximum: 999, description: "every how many days, weeks, months or years" },
  disabled:               { type: "boolean", description: "temporarily off" },
  time_of_day:            { type: "string", pattern: "^\\d\\d:\\d\\d$" },
  time_zone:              buildTextSchema("zone of `time_of_day`: a name of the enumeration time_zone; an IANA zone is read too"),
  start_date:             { type: "string", format: "date" },
  end_date:               { type: "string", format: "date", description: "the last possible day" },
  day:                    buildTextSchema("days of the week, 0 (Sunday) to 6 (Saturday), comma separated; with daily and weekly"),
  day_of_month:           buildTextSchema("days of the month, 1 to 31, -1 for the last one, comma separated; with monthly"),
  day_of_week:            { type: "boolean", description: "on weekdays of the month; with monthly and yearly" },
  day_of_week_day:        buildTextSchema("sunday to saturday, comma separated; with `day_of_week`"),
  month_of_year:          buildTextSchema("months, 1 to 12, comma separated; with yearly"),
  ical:                   buildTextSchema("the rule as iCalendar writes it, without the time of day"),
  next_occurrence_at:     { type: "string", format: "date-time" },
  last_occurrence_at:     { type: "string", format: "date-time" },
  last_occurrence_errors: buildTextSchema("why the last occurrence created nothing"),
  next_occurrence_errors: buildTextSchema("always null"),
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

function buildMemberSchema(context: OpenApiContext, name: string): Schema {
  if (name === "frequency") return buildChoiceSchema(context, "recurrence.frequency");
  if (name === "day_of_week_index") return buildChoiceSchema(context, "recurrence.day_of_week_index");
  if (name === "calendar") return buildReferenceSchema(context, context.types.get("calendar"));
  if (name === "last_occurrence_object")
    return context.types.has("workflow")
      ? buildReferenceSchema(context, context.types.get("workflow"))
      : { type: "object" };
  return memberSchemas[name] as Schema;
}

function buildRecurrenceSchema(context: OpenApiContext, field: RecurrenceField): Schema {
  const names = listRecurrenceMembers(field);
  const members = names.map((name) => {
    const schema = buildMemberSchema(context, name);
    const nullable = neverNull.has(name) ? schema : orNull(schema);
    return [name, readonlyMembers.includes(name) ? { ...nullable, readOnly: true } : nullable];
  });
  return { type: "object", required: names, properties: Object.fromEntries(members) };
}

/** Records without a recurrence omit the member. */
export const buildRecurrenceOutput = (context: OpenApiContext, field: RecurrenceField): Schema =>
  field.without.length > 0
    ? buildRecurrenceSchema(context, field)
    : context.components.ref("schemas", "Recurrence", () => buildRecurrenceSchema(context, field));

const inputDescription = "Members that are not named keep their value; null clears one.";

export function buildRecurrenceInput(context: OpenApiContext, field: RecurrenceField, reference: Ref): Schema {
  const make = (): Schema => {
    const names = inputMembers.filter((name) => !field.without.includes(name));
    const members = names.map((name) => [
      name,
      orNull(name === "calendar" ? reference : buildMemberSchema(context, name)),
    ]);
    const short = field.without.includes("calendar") ? {} : { calendar_id: { type: ["integer", "null"], minimum: 1 } };
    return { type: "object", description: inputDescription, properties: { ...Object.fromEntries(members), ...short } };
  };
  return field.without.length > 0 ? make() : context.components.ref("schemas", "RecurrenceInput", make);
}

const exampleInput = {
  frequency: "weekly",
  interval: 2,
  time_of_day: "09:00",
  time_zone: "Amsterdam",
  start_date: "2031-02-03",
  day: "1,3",
};

export const buildExampleRecurrenceInput = (field: RecurrenceField): Record<string, unknown> =>
  Object.fromEntries(Object.entries(exampleInput).filter(([name]) => !field.without.includes(name)));

export function buildExampleRecurrence(field: RecurrenceField): Record<string, unknown> {
  const { value } = completeRecurrence(field, exampleInput, "Amsterdam");
  const record = {
    ...value,
    ...("next_occurrence_at" in value ? { next_occurrence_at: "2031-02-03T09:00:00+01:00" } : {}),
  };
  return Object.fromEntries(
    listRecurrenceMembers(field).map((name) => [name, (record as Record<string, unknown>)[name] ?? null]),
  );
}
