import { deriveLabel } from "../../../records/languages/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { valuesOf } from "../../engine/kinds/choice.ts";
import { nodeId } from "../../engine/output.ts";
import { singular, type Type } from "../../engine/types.ts";
import type { Context } from "./components.ts";
import { displays, texts } from "./example-texts.ts";
import { exampleRecurrence, exampleRecurrenceInput } from "./recurrence.ts";
import { isNeeded, isWritable, type Purpose } from "./writable.ts";

// Records that could exist, made from the declarations.

const moment = "2031-02-03T09:00:00+01:00";
/** what ends, ends after it began */
const momentOf = (name: string): string => (name.startsWith("end_") ? moment.replace("T09", "T17") : moment);

/** Different types have different numbers; the same type always has the same. */
const number = (type: Type): number => (type.name.length * 37) % 900;

function exampleText(type: Type, name: string, max: number): string | null {
  const own = texts[`${type.name}.${name}`];
  const known = own !== undefined ? own : name === type.display ? displays[type.name] : texts[name];
  return known === null ? null : (known ?? deriveLabel(name === type.display ? type.name : name)).slice(0, max);
}

function exampleReference(context: Context, target: Type): unknown {
  if (target.singleton) return { id: "widget-it", name: displays[target.name] };
  const reference: Record<string, unknown> = { id: number(target) };
  if (target.display !== "id") reference[target.display] = exampleValue(context, target, target.display);
  for (const name of target.referenceFields) reference[name] = exampleValue(context, target, name);
  if (target.display !== "id") reference.name = reference[target.display];
  return { ...reference, nodeID: nodeId(context.domain, target.nodeType, number(target)) };
}

function exampleValue(context: Context, type: Type, name: string): unknown {
  const field = type.fields[name] as Field;
  const { types } = context;
  if (field.fallsBackTo !== undefined) return exampleValue(context, type, field.fallsBackTo);
  const standing = field.default !== undefined && "value" in field.default ? field.default.value : undefined;
  switch (field.kind) {
    case "id":
      return number(type);
    case "string":
      return name === "id" ? "widget-it" : exampleText(type, name, field.max ?? 255);
    case "text":
      return "Plain text, or **marked up**.";
    case "integer":
      return standing ?? Math.min(Math.max(name === "year" ? 2031 : 2, field.min), field.max);
    case "decimal":
    case "float":
      return 87.5;
    case "boolean":
      return standing ?? false;
    case "date":
      return moment.slice(0, 10);
    case "datetime":
    case "target":
      return momentOf(name);
    case "localDatetime":
      return momentOf(name).slice(0, 19);
    case "duration":
      return 105;
    case "timeOfDay":
      return name.endsWith("_until") ? "17:30" : "09:00";
    case "timeZone":
      return "Amsterdam";
    case "enum":
      return standing ?? texts[`${type.name}.${name}`] ?? valuesOf(field)[0];
    case "download":
      return "https://widget.example/attachments/7/screen.png?expires=1930000000&signature=f3a1";
    case "reference":
      return texts[`${type.name}.${name}`] === null ? null : exampleReference(context, types.named(field.to));
    case "code":
      return exampleValue(context, types.named(field.to), "reference");
    case "extension":
      return exampleReference(context, types.named("ui_extension"));
    case "recurrence":
      return exampleRecurrence(field);
    case "backReference":
      return exampleReference(context, types.named(field.from));
    case "references":
      return field.plain ? [number(types.named(field.to))] : [exampleReference(context, types.named(field.to))];
    case "customFields":
      return { cost_center: "4711" };
    case "hash":
      return name === "changes" ? { job_title: ["Engineer", "Network engineer"] } : {};
    case "aggregated":
      return [exampleRecord(context, types.named(field.of), types.named(field.of).defaultFields, "entry")];
    default:
      return [];
  }
}

/** A record with these fields: all of them, or the default ones of a list. Entries inside a record have no nodeID. */
export function exampleRecord(
  context: Context,
  type: Type,
  names: readonly string[] = type.shown,
  as: "record" | "entry" = "record",
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const name of type.shown.filter((shown) => names.includes(shown))) {
    const field = type.fields[name] as Field;
    if (field.kind === "subject") {
      const person = context.types.named("person");
      record.person =
        field.as === "reference"
          ? exampleReference(context, person)
          : { id: number(person), href: `/people/${number(person)}`, display_name: `${number(person)} Grace Hopper` };
    } else record[name] = exampleValue(context, type, name);
    if (name === "id" && as === "record" && !type.singleton)
      record.nodeID = nodeId(context.domain, type.nodeType, number(type));
  }
  if (!type.omitBlankMembers) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** Required, and taken from another record only where that one has it. */
const isInherited = (field: Field): boolean =>
  field.access === "required" && field.default !== undefined && "of" in field.default;

/** A body that says what must be said, and a little more; a change names two things. */
export function exampleBody(context: Context, type: Type, purpose: Purpose): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const writable = Object.entries(type.fields).filter(
    ([name, field]) => isWritable(field, purpose) && name !== "source" && !field.kind.startsWith("attachments"),
  );
  const reference = writable.find(([, field]) => field.kind === "reference");
  for (const [name, field] of writable) {
    const chosen =
      purpose === "create"
        ? isNeeded(type, name, field) ||
          isInherited(field) ||
          type.defaultFields.includes(name) ||
          texts[`${type.name}.${name}`]
        : name === type.display || name === reference?.[0];
    const value = chosen && texts[`${type.name}.${name}`] !== null ? exampleValue(context, type, name) : null;
    if (value === null) continue;
    if (field.kind === "recurrence") body[name] = exampleRecurrenceInput(field);
    else if (field.kind === "reference") body[`${name}_id`] = (value as { id: number }).id;
    else if (field.kind === "references" && !field.plain)
      body[`${singular(name)}_ids`] = (value as { id: number }[]).map(({ id }) => id);
    else body[name] = value;
  }
  return body;
}
