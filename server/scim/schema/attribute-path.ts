import { type Attribute, findAttribute, listOwnAttributes, type Resource, type Schema } from "./attribute.ts";

// Names of attributes as clients write them: userName, name.givenName, urn:…:User:manager.value.

/** `extension`: the schema whose member it is; null: the attribute belongs to the resource itself. */
export type AttributePath = { extension: Schema | null; attribute: Attribute; member: Attribute | null };

export type ResolvedName =
  | ({ kind: "attribute" } & AttributePath)
  | { kind: "extension"; schema: Schema }
  | { kind: "unknown extension"; urn: string }
  | { kind: "unknown" };

const unknown: ResolvedName = { kind: "unknown" };

/** The attribute that a name means. Names of attributes and schemas ignore case. */
export function resolveName(resource: Resource, name: string): ResolvedName {
  if (!name.toLowerCase().startsWith("urn:")) return resolveIn(listOwnAttributes(resource), null, name);
  for (const schema of [resource.schema, ...resource.extensions]) {
    const rest = cutPrefix(name, schema.urn);
    if (rest === null) continue;
    const extension = schema === resource.schema ? null : schema;
    if (rest === "") return extension === null ? unknown : { kind: "extension", schema };
    const attributes = extension === null ? listOwnAttributes(resource) : schema.attributes;
    return resolveIn(attributes, extension, rest);
  }
  return { kind: "unknown extension", urn: name };
}

function resolveIn(attributes: readonly Attribute[], extension: Schema | null, name: string): ResolvedName {
  const [first = "", second, ...others] = name.split(".");
  const attribute = findAttribute(attributes, first);
  if (attribute === undefined || others.length > 0) return unknown;
  if (second === undefined) return { kind: "attribute", extension, attribute, member: null };
  const member = findAttribute(attribute.members ?? [], second);
  return member === undefined ? unknown : { kind: "attribute", extension, attribute, member };
}

/** The part after the URN and its colon; "" for the URN itself, null for another one. */
function cutPrefix(name: string, urn: string): string | null {
  if (!name.toLowerCase().startsWith(urn.toLowerCase())) return null;
  if (name.length === urn.length) return "";
  return name[urn.length] === ":" ? name.slice(urn.length + 1) : null;
}
