import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import { isSubject } from "../../engine/kinds/subject.ts";
import type { Type } from "../../engine/types.ts";
import { idSchema, nodeIdSchema } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { capitalize, getSchemaName, withArticle } from "./names.ts";
import { buildForeignAccountSchema, buildSubjectReference } from "./reference-schemas.ts";
import { buildOutputValueSchema, isAlwaysPresent, isLeftOutIfNull } from "./value-schemas.ts";

// A record in a response: complete, or as a row of a list.

/** All fields, as in responses to creating, changing and reading one record. */
export function buildRecordSchema(context: OpenApiContext, type: Type): Ref {
  return context.components.ref("schemas", getSchemaName(type), () => ({
    description: `${capitalize(withArticle(type.name))} with all its fields.`,
    allOf: [buildRowSchema(context, type), { type: "object", required: listRequiredMembers(type) }],
  }));
}

/** The member of a subject is named after the type of the record. */
const hasNameOfItsOwn = (type: Type, name: string): boolean => getKind(type.fields[name] as Field).namesMember === true;

/** The members of a complete record that are always present. */
function listRequiredMembers(type: Type): string[] {
  const fields = type.detailFields.filter(
    (name) =>
      !hasNameOfItsOwn(type, name) &&
      !isLeftOutIfNull(type, name) &&
      !type.serialize.includeIfPresent.includes(name) &&
      (!type.serialize.omitBlankMembers || isAlwaysPresent(type, name)),
  );
  return type.routes.singleton ? fields : ["nodeID", ...fields];
}

/** No member is required: `?fields=` chooses them. */
export function buildRowSchema(context: OpenApiContext, type: Type): Ref {
  return context.components.ref("schemas", `${getSchemaName(type)}Row`, () => {
    const subject = Object.values(type.fields).find(isSubject);
    return {
      type: "object",
      description:
        subject === undefined
          ? `${capitalize(withArticle(type.name))} in a list, with the default or selected fields.`
          : "The record that the entry is about is in the member named after its type, for example `person`.",
      required: type.routes.singleton ? ["id"] : ["id", "nodeID"],
      properties: buildProperties(context, type),
      ...(subject === undefined ? {} : { additionalProperties: buildSubjectReference(context, subject.as) }),
    };
  });
}

export function buildProperties(context: OpenApiContext, type: Type): Schema {
  const members: Schema = type.routes.singleton
    ? {}
    : { id: { ...idSchema, readOnly: true }, nodeID: nodeIdSchema, account: buildForeignAccountSchema(context) };
  for (const name of type.outputFields)
    if (!hasNameOfItsOwn(type, name) && !(name in members)) members[name] = buildOutputValueSchema(context, type, name);
  for (const [name, { access, transient: passing, note }] of Object.entries(type.fields))
    if (access === "readonly" && passing)
      members[name] = {
        type: ["string", "null"],
        readOnly: true,
        ...(note === undefined ? {} : { description: note }),
      };
  if (type.deletion.archivable !== null)
    for (const state of ["archived", "trashed"])
      members[state] = { type: "boolean", const: true, description: `only while the record is ${state}` };
  return members;
}
