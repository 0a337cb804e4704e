import { deriveLabel } from "../../../../records/languages/index.ts";
import type { Field } from "../../../../records/vocabulary/index.ts";
import { listChoices } from "../../../engine/kinds/choice.ts";
import { buildNodeId } from "../../../engine/read/serializer.ts";
import { singular, type Type } from "../../../engine/types.ts";
import type { OpenApiContext } from "../components.ts";
import { buildExampleRecurrence, buildExampleRecurrenceInput } from "../recurrence-schemas.ts";
import { isRequired, isWritable, type Purpose } from "../writable-fields.ts";
import { displayNames, exampleTexts } from "./example-texts.ts";

// Example records and bodies, derived from the declarations of the record types.

const exampleMoment = "2031-02-03T09:00:00+01:00";
/** An end lies after its start. */
const pickExampleMoment = (name: string): string =>
  name.startsWith("end_") ? exampleMoment.replace("T09", "T17") : exampleMoment;

/** An id that is stable per type. */
const pickExampleId = (type: Type): number => (type.name.length * 37) % 900;

function buildExampleText(type: Type, name: string, max: number): string | null {
  const own = exampleTexts[`${type.name}.${name}`];
  const known = own !== undefined ? own : name === type.display ? displayNames[type.name] : exampleTexts[name];
  return known === null ? null : (known ?? deriveLabel(name === type.display ? type.name : name)).slice(0, max);
}

function buildExampleReference(context: OpenApiContext, target: Type): unknown {
  if (target.routes.singleton) return { id: "widget-it", name: displayNames[target.name] };
  const reference: Record<string, unknown> = { id: pickExampleId(target) };
  if (target.display !== "id") reference[target.display] = buildExampleValue(context, target, target.display);
  for (const name of target.serialize.referenceFields) reference[name] = buildExampleValue(context, target, name);
  if (target.display !== "id") reference.name = reference[target.display];
  return { ...reference, nodeID: buildNodeId(context.domain, target.nodeType, pickExampleId(target)) };
}

function buildExampleValue(context: OpenApiContext, type: Type, name: string): unknown {
  const field = type.fields[name] as Field;
  const { types } = context;
  if (field.fallsBackTo !== undefined) return buildExampleValue(context, type, field.fallsBackTo);
  const defaultValue = field.default !== undefined && "value" in field.default ? field.default.value : undefined;
  switch (field.kind) {
    case "id":
      return pickExampleId(type);
    case "string":
      return name === "id" ? "widget-it" : buildExampleText(type, name, field.max ?? 255);
    case "text":
      return "Plain text, or **marked up**.";
    case "integer":
      return defaultValue ?? Math.min(Math.max(name === "year" ? 2031 : 2, field.min), field.max);
    case "decimal":
    case "float":
      return 87.5;
    case "boolean":
      return defaultValue ?? false;
    case "date":
      return exampleMoment.slice(0, 10);
    case "datetime":
    case "target":
      return pickExampleMoment(name);
    case "localDatetime":
      return pickExampleMoment(name).slice(0, 19);
    case "duration":
      return 105;
    case "timeOfDay":
      return name.endsWith("_until") ? "17:30" : "09:00";
    case "timeZone":
      return "Amsterdam";
    case "enum":
      return defaultValue ?? exampleTexts[`${type.name}.${name}`] ?? listChoices(field)[0];
    case "download":
      return "https://widget.example/attachments/7/screen.png?expires=1930000000&signature=f3a1";
    case "reference":
      return exampleTexts[`${type.name}.${name}`] === null ? null : buildExampleReference(context, types.get(field.to));
    case "code":
      return buildExampleValue(context, types.get(field.to), "reference");
    case "extension":
      return buildExampleReference(context, types.get("ui_extension"));
    case "recurrence":
      return buildExampleRecurrence(field);
    case "backReference":
      return buildExampleReference(context, types.get(field.from));
    case "references":
      return field.plain ? [pickExampleId(types.get(field.to))] : [buildExampleReference(context, types.get(field.to))];
    case "customFields":
      return { cost_center: "4711" };
    case "hash":
      return name === "changes" ? { job_title: ["Engineer", "Network engineer"] } : {};
    case "aggregated":
      return [buildExampleRecord(context, types.get(field.of), types.get(field.of).defaultFields, "entry")];
    default:
      return [];
  }
}

/** An example with all fields, or with those of a list. Entries inside a record have no nodeID. */
export function buildExampleRecord(
  context: OpenApiContext,
  type: Type,
  names: readonly string[] = type.outputFields,
  as: "record" | "entry" = "record",
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const name of type.outputFields.filter((shown) => names.includes(shown))) {
    const field = type.fields[name] as Field;
    if (field.kind === "subject") {
      const person = context.types.get("person");
      record.person =
        field.as === "reference"
          ? buildExampleReference(context, person)
          : {
              id: pickExampleId(person),
              href: `/people/${pickExampleId(person)}`,
              display_name: `${pickExampleId(person)} Grace Hopper`,
            };
    } else record[name] = buildExampleValue(context, type, name);
    if (name === "id" && as === "record" && !type.routes.singleton)
      record.nodeID = buildNodeId(context.domain, type.nodeType, pickExampleId(type));
  }
  if (!type.serialize.omitBlankMembers) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** Required, with a default from another record that may itself be blank. */
const isInherited = (field: Field): boolean =>
  field.access === "required" && field.default !== undefined && "of" in field.default;

/** A create example has the required fields and some more, an update example two fields. */
export function buildExampleBody(context: OpenApiContext, type: Type, purpose: Purpose): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const writable = Object.entries(type.fields).filter(
    ([name, field]) => isWritable(field, purpose) && name !== "source" && !field.kind.startsWith("attachments"),
  );
  const reference = writable.find(([, field]) => field.kind === "reference");
  for (const [name, field] of writable) {
    const isIncluded =
      purpose === "create"
        ? isRequired(type, name, field) ||
          isInherited(field) ||
          type.defaultFields.includes(name) ||
          exampleTexts[`${type.name}.${name}`]
        : name === type.display || name === reference?.[0];
    const value =
      isIncluded && exampleTexts[`${type.name}.${name}`] !== null ? buildExampleValue(context, type, name) : null;
    if (value === null) continue;
    if (field.kind === "recurrence") body[name] = buildExampleRecurrenceInput(field);
    else if (field.kind === "reference") body[`${name}_id`] = (value as { id: number }).id;
    else if (field.kind === "references" && !field.plain)
      body[`${singular(name)}_ids`] = (value as { id: number }[]).map(({ id }) => id);
    else body[name] = value;
  }
  return body;
}
