import type { Field } from "../../records/vocabulary/index.ts";
import type { Type, Types } from "../engine/types.ts";
import { bag, listOf, plain, recordOf, type Schema, type Shape, unknown } from "./language/schema.ts";

// What rules can name, from the declarations: reference, automation.md sections 4.7, 6.1 and 8.

const findable = [
  ...["person", "team", "ci", "service", "service_instance", "organization", "site", "calendar", "request", "workflow"],
  ...["task", "problem", "project", "product", "knowledge_article", "effort_class", "custom_collection_element"],
  ...["request_template", "task_template", "agile_board", "agile_board_column"],
];

export const isReadable = (field: Field): boolean =>
  field.access !== "writeonly" && !field.internal && !field.transient && field.computed === undefined;

function shapeOf(field: Field): Shape {
  switch (field.kind) {
    case "reference":
      return field.or === undefined ? recordOf(field.to) : unknown;
    case "references":
      return listOf(recordOf(field.to));
    case "backReference":
      return recordOf(field.from);
    case "aggregated":
      return listOf(recordOf(field.of));
    case "attachments":
      return listOf(bag);
    case "strings":
      return listOf(plain);
    case "customFields":
    case "hash":
    case "recurrence":
      return bag;
    default:
      return plain;
  }
}

/** The reference that a child is about: the approver of an approval. */
export function subjectOf(types: Types, child: string): { field: string; to: string } | null {
  for (const [field, { kind, access, ...rest }] of Object.entries(types.get(child).fields))
    if (kind === "reference" && access === "required") return { field, to: (rest as { to: string }).to };
  return null;
}

export function schemaOf(types: Types): Schema {
  const typeNamed = (name: string): Type | undefined => types.all.find((type) => type.name === name);
  const known = new Map(types.all.map((type) => [type.name, type]));
  const words = new Map<string, string>();
  for (const name of findable) {
    const type = known.get(name) ?? typeNamed(name);
    if (type !== undefined) words.set(name, name).set(type.collection, name);
  }
  const relation = (type: Type, name: string): string | null =>
    (Object.hasOwn(type.links, name) ? type.links[name]?.to : undefined) ??
    (Object.hasOwn(type.children, name) ? type.children[name]?.of : undefined) ??
    (Object.hasOwn(type.lists, name) ? type.lists[name]?.of : undefined) ??
    null;
  return {
    member(typeName, name) {
      const type = known.get(typeName);
      if (type === undefined) return unknown;
      const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      if (field !== undefined && isReadable(field)) return shapeOf(field);
      if (typeName === "note" && name === "public") return plain;
      const of = relation(type, name);
      return of === null ? null : listOf(recordOf(of));
    },
    settable(typeName, name) {
      const field = known.get(typeName)?.members.get(name)?.field;
      return field !== undefined && field.access !== "readonly" && !field.internal && !field.onCreateOnly;
    },
    linkable(typeName, name) {
      const type = known.get(typeName);
      if (type === undefined) return null;
      if (Object.hasOwn(type.links, name)) return type.links[name]?.to ?? null;
      const child = Object.hasOwn(type.children, name) ? type.children[name] : undefined;
      if (child === undefined || (child.allows !== undefined && !child.allows.includes("create"))) return null;
      return subjectOf(types, child.of)?.to ?? null;
    },
    takesNotes: (typeName, internal) => known.get(typeName)?.members.has(internal ? "internal_note" : "note") === true,
    findable: (word) => words.get(word) ?? null,
  };
}
