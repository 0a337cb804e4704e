import { enumerations } from "../../../records/enumerations/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { boolean } from "./boolean.ts";
import { jsonCell } from "./cell-forms.ts";
import { asScalar } from "./graph-form.ts";
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
import { recurrenceDescription } from "./recurrence-description.ts";
import {
  completeRecurrence,
  type inputMembers,
  listRecurrenceMembers,
  memberProblem,
  type Recurrence,
} from "./recurrence-rule.ts";
import { readId, serializeReferenceBy } from "./reference.ts";
import { date, timeOfDay, timeZone } from "./time.ts";

// Recurrence: RC9, RC10, RC15. One JSON object; an update names the members it changes.

type RecurrenceField = Extract<Field, { kind: "recurrence" }>;

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
    const stored = member === "calendar" ? "calendar_id" : member;
    try {
      const blank = value === null || value === undefined || value === "";
      given[stored] = blank ? null : readers[member as keyof typeof readers](value, by);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw memberProblem(member, error.message, error.values);
    }
  }
  return given;
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
  graph: asScalar("JSON"),
  sqlType: "jsonb",
  schema: () => ({ type: "object" }),
  describe: recurrenceDescription,
  shape: () => ({ kind: "bag" }),
  cell: jsonCell,
  check({ field, types, report }) {
    if (!field.without.includes("calendar") && !types.has(field.calendarType))
      report(`names the record type "${field.calendarType}", which does not exist`);
  },
};
