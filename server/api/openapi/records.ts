import type { Field } from "../../../records/vocabulary/index.ts";
import type { Type } from "../../engine/types.ts";
import { id, nodeID } from "./basics.ts";
import type { Context, Ref, Schema } from "./components.ts";
import { capital, one, schemaName } from "./names.ts";
import { foreignAccount, subjectReference } from "./references.ts";
import { isAlwaysThere, shownValue } from "./values.ts";

// A record as answers show it: whole, or as a row of a list.

/** All fields, as creating, changing and reading one record answer it. */
export function wholeRecord(context: Context, type: Type): Ref {
  return context.components.ref("schemas", schemaName(type), () => ({
    description: `${capital(one(type.name))} with all its fields.`,
    allOf: [rowOf(context, type), { type: "object", required: alwaysThere(type) }],
  }));
}

/** The members of a whole record that are there whatever their value. */
function alwaysThere(type: Type): string[] {
  const fields = type.whole.filter(
    (name) =>
      type.fields[name]?.kind !== "subject" &&
      type.fields[name]?.kind !== "recurrence" &&
      !type.includeIfPresent.includes(name) &&
      (!type.omitBlankMembers || isAlwaysThere(type, name)),
  );
  return type.singleton ? fields : ["nodeID", ...fields];
}

/** Any choice of fields: what `?fields=` leaves out is not there. */
export function rowOf(context: Context, type: Type): Ref {
  return context.components.ref("schemas", `${schemaName(type)}Row`, () => {
    const subject = Object.values(type.fields).find((field) => field.kind === "subject") as
      | Extract<Field, { kind: "subject" }>
      | undefined;
    return {
      type: "object",
      description:
        subject === undefined
          ? `${capital(one(type.name))} in a list, with the default fields or the chosen ones.`
          : "The record it is about stands under the name of its type, for example `person`.",
      required: type.singleton ? ["id"] : ["id", "nodeID"],
      properties: properties(context, type),
      ...(subject === undefined ? {} : { additionalProperties: subjectReference(context, subject.as) }),
    };
  });
}

function properties(context: Context, type: Type): Schema {
  const members: Schema = type.singleton
    ? {}
    : { id: { ...id, readOnly: true }, nodeID, account: foreignAccount(context) };
  for (const name of type.shown)
    if (type.fields[name]?.kind !== "subject" && !(name in members)) members[name] = shownValue(context, type, name);
  for (const [name, { access, transient: passing, note }] of Object.entries(type.fields))
    if (access === "readonly" && passing)
      members[name] = {
        type: ["string", "null"],
        readOnly: true,
        ...(note === undefined ? {} : { description: note }),
      };
  if (type.archivable !== null)
    for (const state of ["archived", "trashed"])
      members[state] = { type: "boolean", const: true, description: `only while the record is ${state}` };
  return members;
}
