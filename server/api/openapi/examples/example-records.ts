import { deriveLabel } from "../../../../records/languages/index.ts";
import type { Field } from "../../../../records/vocabulary/index.ts";
import { getKind } from "../../../engine/kinds/index.ts";
import { isReference } from "../../../engine/kinds/reference.ts";
import { isSubject } from "../../../engine/kinds/subject.ts";
import { buildNodeId } from "../../../engine/read/serializer.ts";
import type { Type } from "../../../engine/types.ts";
import type { OpenApiContext } from "../components.ts";
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
  if (field.fallsBackTo !== undefined) return buildExampleValue(context, type, field.fallsBackTo);
  const { describe } = getKind(field);
  if (describe?.example === undefined) return [];
  return describe.example({
    type,
    name,
    field,
    types: context.types,
    defaultValue: field.default !== undefined && "value" in field.default ? field.default.value : undefined,
    chosen: exampleTexts[`${type.name}.${name}`],
    id: pickExampleId,
    text: (max) => buildExampleText(type, name, max),
    moment: () => pickExampleMoment(name),
    reference: (target) => buildExampleReference(context, target),
    value: (target, member) => buildExampleValue(context, target, member),
    entry: (child) => buildExampleRecord(context, child, child.defaultFields, "entry"),
  });
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
    if (isSubject(field)) {
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
    ([name, field]) => isWritable(field, purpose) && name !== "source" && !getKind(field).isAttachmentInput,
  );
  const reference = writable.find(([, field]) => isReference(field));
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
    const [member, example] = getKind(field).describe?.exampleInput?.(name, field, value) ?? [name, value];
    body[member] = example;
  }
  return body;
}
