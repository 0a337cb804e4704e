import { isDeepStrictEqual } from "node:util";
import { invalidValue, ScimError } from "../errors.ts";
import { isObject } from "../filter/match-filter.ts";
import type { Resource } from "../schema/attribute.ts";
import { type AttributePath, resolveName } from "../schema/attribute-path.ts";
import { checkListLength, cleanList, cleanSingle, keepOnePrimary } from "./clean-value.ts";
import { cutCustomFieldSchema, mergeCustomFields } from "./custom-fields.ts";
import { type Draft, isEmpty, type Members } from "./draft.ts";

/** `add` keeps the elements of a list that are there; `replace` puts the given ones in their place. */
export type Mode = "add" | "replace";
/** A body is read leniently; an operation of a patch names what it changes, so unknown names are errors. */
export type Strictness = "body" | "operation";

/** Attributes that clients send back with what they read before. */
const ignoredAttributes: ReadonlySet<string> = new Set(["id", "meta", "schemas", "groups"]);

/** Sets the attribute of a name that is a key of a body, or the path of an operation without brackets. */
export function setByName(
  resource: Resource,
  draft: Draft,
  name: string,
  value: unknown,
  mode: Mode,
  strictness: Strictness,
): void {
  const customField = cutCustomFieldSchema(name);
  const resolved = resolveName(resource, name);
  if (customField !== null) mergeCustomFields(draft, customField, value);
  else if (resolved.kind === "attribute") setAttribute(draft, resolved, value, mode, strictness);
  else if (resolved.kind === "extension") setExtension(resource, draft, resolved.schema.urn, value, mode);
  else if (resolved.kind === "unknown" && strictness === "operation")
    throw new ScimError(400, "invalidPath", `There is no attribute "${name}".`);
  else if (isEmpty(value)) delete draft.unknown[name];
  else draft.unknown[name] = value;
}

function setExtension(resource: Resource, draft: Draft, urn: string, value: unknown, mode: Mode): void {
  if (isEmpty(value)) delete draft.document[urn];
  else if (!isObject(value)) throw invalidValue(`"${urn}" must be an object.`);
  else
    for (const [member, each] of Object.entries(value))
      setByName(resource, draft, `${urn}:${member}`, each, mode, "body");
}

export function setAttribute(
  draft: Draft,
  path: AttributePath,
  value: unknown,
  mode: Mode,
  strictness: Strictness,
): void {
  const { attribute, member } = path;
  if (isIgnored(path)) return;
  if ((member ?? attribute).mutability === "readOnly") {
    if (strictness === "body") return;
    throw new ScimError(400, "mutability", `"${attribute.name}" cannot be changed.`);
  }
  if (attribute.name === "members") {
    changeMembers(draft, value, mode);
    return;
  }
  const owner = getOwner(draft, path);
  if (attribute.multiValued !== undefined) owner[attribute.name] = changeList(owner, path, value, mode);
  else if (member !== null) setMember(owner, path, cleanSingle(member, value));
  else {
    const cleaned = cleanSingle(attribute, value);
    const present = owner[attribute.name];
    // A complex attribute changes only in the members that are given.
    owner[attribute.name] =
      isObject(cleaned) && isObject(present) && isObject(value) ? mergeMembers(present, value, cleaned) : cleaned;
  }
  removeEmpty(draft, path);
}

/** Whether a client may name the attribute without effect. */
export const isIgnored = ({ extension, attribute }: AttributePath): boolean =>
  attribute.mutability === "writeOnly" || (extension === null && ignoredAttributes.has(attribute.name));

/** The object that holds the attribute: the document, or the part of an extension. */
export function getOwner(draft: Draft, { extension }: AttributePath): Members {
  if (extension === null) return draft.document;
  const present = draft.document[extension.urn];
  if (isObject(present)) return present as Members;
  const owner: Members = {};
  draft.document[extension.urn] = owner;
  return owner;
}

/** Takes out what has no value any more, so that the same content is always the same document. */
export function removeEmpty(draft: Draft, path: AttributePath): void {
  const owner = getOwner(draft, path);
  const value = owner[path.attribute.name];
  if (isEmpty(value) || (isObject(value) && Object.keys(value).length === 0)) delete owner[path.attribute.name];
  if (path.extension !== null && Object.keys(owner).length === 0) delete draft.document[path.extension.urn];
}

function changeList(owner: Members, { attribute, member }: AttributePath, value: unknown, mode: Mode): Members[] {
  const present = readList(owner, attribute.name);
  // emails.value without brackets means every entry, and a first one where there is none.
  if (member !== null) {
    const cleaned = cleanSingle(member, value);
    const entries = present.length > 0 ? present : [{}];
    return entries.map(({ [member.name]: _, ...entry }) =>
      cleaned === undefined ? entry : { ...entry, [member.name]: cleaned },
    );
  }
  const given = cleanList(attribute, value);
  const kept = mode === "add" ? present : [];
  const added = given.filter((element) => !kept.some((other) => isDeepStrictEqual(other, element)));
  const list = keepOnePrimary([...kept, ...added]);
  checkListLength(attribute, list);
  return list;
}

export const readList = (owner: Members, name: string): Members[] =>
  Array.isArray(owner[name]) ? (owner[name] as Members[]) : [];

function setMember(owner: Members, { attribute, member }: AttributePath, cleaned: unknown): void {
  const present = owner[attribute.name];
  const members: Members = isObject(present) ? { ...present } : {};
  const name = member?.name ?? "";
  if (cleaned === undefined) delete members[name];
  else members[name] = cleaned;
  owner[attribute.name] = members;
}

/** Members given empty are cleared, others that are given are set, the rest stays. */
function mergeMembers(present: Readonly<Members>, given: Readonly<Members>, cleaned: Readonly<Members>): Members {
  const emptied = new Set(
    Object.entries(given)
      .filter(([, value]) => isEmpty(value))
      .map(([name]) => name.toLowerCase()),
  );
  const kept = Object.entries(present).filter(([name]) => !emptied.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...cleaned };
}

/** Members of a group: `operation` "delete" removes one, in the plain form of a patch. */
function changeMembers(draft: Draft, value: unknown, mode: Mode): void {
  const entries = isEmpty(value) ? [] : Array.isArray(value) ? value : [value];
  const added: string[] = [];
  const removed: string[] = [];
  for (const entry of entries) {
    const id = readMemberId(entry);
    if (mode === "add" && isObject(entry) && String(entry.operation).toLowerCase() === "delete") removed.push(id);
    else added.push(id);
  }
  if (mode === "replace" || added.length > 0) draft.memberChanges.push({ kind: mode, ids: added });
  if (removed.length > 0) draft.memberChanges.push({ kind: "remove", ids: removed });
}

export function readMemberId(entry: unknown): string {
  const id = isObject(entry) ? entry.value : entry;
  if (typeof id !== "string" && typeof id !== "number")
    throw invalidValue('Every entry of "members" needs a "value": the id of a user.');
  return String(id);
}
