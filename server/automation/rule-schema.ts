import type { Field } from "../../records/vocabulary/index.ts";
import { getKind } from "../engine/kinds/index.ts";
import { isReference } from "../engine/kinds/reference.ts";
import type { Type, Types } from "../engine/types.ts";
import { listShape, plainShape, recordShape, type Schema, type Shape, unknownShape } from "./language/schema.ts";

// Builds the schema of the rule language from the declarations of records: AL6, AL9, AC1 to AC12.

const findableTypes = [
  ...["person", "team", "ci", "service", "service_instance", "organization", "site", "calendar", "request", "workflow"],
  ...["task", "problem", "project", "product", "knowledge_article", "effort_class", "custom_collection_element"],
  ...["request_template", "task_template", "agile_board", "agile_board_column", "scim_user", "scim_group"],
];
/** The lists that rules about SCIM users replace as a whole: the entries that came from the identity provider. */
const listsOfPeople: ReadonlySet<string> = new Set(["contacts", "addresses"]);

export const isReadableField = (field: Field): boolean =>
  field.access !== "writeonly" && !field.internal && !field.transient && field.computed === undefined;

const getFieldShape = (field: Field): Shape => getKind(field).shape?.(field) ?? plainShape;

/** The required reference of a child record, such as the approver of an approval. */
export function findSubjectReference(types: Types, child: string): { field: string; to: string } | null {
  for (const [name, field] of Object.entries(types.get(child).fields))
    if (isReference(field) && field.access === "required") return { field: name, to: field.to };
  return null;
}

export function buildSchema(types: Types): Schema {
  const typesByName = new Map(types.all.map((type) => [type.name, type]));
  const words = new Map<string, string>();
  for (const name of findableTypes) {
    const type = typesByName.get(name);
    if (type !== undefined) words.set(name, name).set(type.collection, name);
  }
  const relation = (type: Type, name: string): string | null =>
    (Object.hasOwn(type.links, name) ? type.links[name]?.to : undefined) ??
    (Object.hasOwn(type.children, name) ? type.children[name]?.of : undefined) ??
    (Object.hasOwn(type.lists, name) ? type.lists[name]?.of : undefined) ??
    null;
  return {
    memberShape(typeName, name) {
      const type = typesByName.get(typeName);
      if (type === undefined) return unknownShape;
      const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      if (field !== undefined && isReadableField(field)) return getFieldShape(field);
      if (typeName === "note" && name === "public") return plainShape;
      const related = relation(type, name);
      return related === null ? null : listShape(recordShape(related));
    },
    isSettable(typeName, name, record) {
      if (record === "scim_user" && typeName === "person" && listsOfPeople.has(name)) return true;
      const field = typesByName.get(typeName)?.members.get(name)?.field;
      return field !== undefined && field.access !== "readonly" && !field.internal && !field.onCreateOnly;
    },
    linkableType(typeName, name) {
      const type = typesByName.get(typeName);
      if (type === undefined) return null;
      if (Object.hasOwn(type.links, name)) return type.links[name]?.to ?? null;
      const child = Object.hasOwn(type.children, name) ? type.children[name] : undefined;
      if (child === undefined || (child.allows !== undefined && !child.allows.includes("create"))) return null;
      return findSubjectReference(types, child.of)?.to ?? null;
    },
    takesNotes: (typeName, internal) =>
      typesByName.get(typeName)?.members.has(internal ? "internal_note" : "note") === true,
    findableType: (word) => words.get(word) ?? null,
  };
}
