import { invalidPath, invalidValue, ScimError } from "../errors.ts";
import type { Filter } from "../filter/filter.ts";
import { isObject, matchesFilter } from "../filter/match-filter.ts";
import type { Resource } from "../schema/attribute.ts";
import { resolveName } from "../schema/attribute-path.ts";
import { checkListLength, cleanList, cleanSingle, keepOnePrimary } from "./clean-value.ts";
import { type Draft, isEmpty, type Members } from "./draft.ts";
import { type PatchPath, parsePatchPath } from "./patch-path.ts";
import { getOwner, isIgnored, type Mode, readList, readMemberId, removeEmpty, setByName } from "./set-attribute.ts";

// PATCH with operations (RFC 7644, section 3.5.2), read as widely as the known provisioning clients write it.

const maxOperations = 1000;

/** Applies all operations to the draft; an error leaves the stored resource as it was, because nothing is saved then. */
export function applyOperations(resource: Resource, draft: Draft, given: unknown): void {
  if (!Array.isArray(given)) throw new ScimError(400, "invalidSyntax", '"Operations" must be a list.');
  if (given.length > maxOperations) throw invalidValue(`A patch cannot have more than ${maxOperations} operations.`);
  for (const operation of given) {
    if (!isObject(operation)) throw new ScimError(400, "invalidSyntax", "Every operation must be an object.");
    applyOperation(resource, draft, lowerNames(operation));
  }
}

/** Names do not regard case, those of an operation neither. */
const lowerNames = (operation: Readonly<Members>): Members =>
  Object.fromEntries(Object.entries(operation).map(([name, value]) => [name.toLowerCase(), value]));

function applyOperation(resource: Resource, draft: Draft, operation: Readonly<Members>): void {
  const word = typeof operation.op === "string" ? operation.op.toLowerCase() : "";
  const path = operation.path;
  if (path !== undefined && path !== null && typeof path !== "string") throw invalidPath('"path" must be a text.');
  const hasPath = typeof path === "string" && path.trim() !== "";
  if (word === "remove") {
    if (!hasPath) throw new ScimError(400, "noTarget", 'The operation "remove" needs a path.');
    removeAt(resource, draft, path, operation.value);
    return;
  }
  if (word !== "add" && word !== "replace")
    throw new ScimError(400, "invalidSyntax", '"op" must be add, replace or remove.');
  if (hasPath) {
    setAt(resource, draft, path, operation.value, word);
    return;
  }
  if (!isObject(operation.value)) throw invalidValue("An operation without a path needs an object as its value.");
  for (const [name, value] of Object.entries(operation.value)) setAt(resource, draft, name, value, word);
}

function setAt(resource: Resource, draft: Draft, text: string, value: unknown, mode: Mode): void {
  const path = parsePatchPath(resource, text);
  if (path.kind === "name") setByName(resource, draft, path.name, value, mode, "operation");
  else setElements(draft, path, value);
}

type ElementsPath = Extract<PatchPath, { kind: "elements" }>;

/** Changes the elements that match; where none does, one with the values of the filter is added. */
function setElements(draft: Draft, path: ElementsPath, value: unknown): void {
  const { list, filter, member } = path;
  if (isIgnored(list)) return;
  if (list.attribute.name === "members") {
    if (isEmpty(value)) draft.memberChanges.push({ kind: "remove matching", filter });
    else if (isObject(value)) draft.memberChanges.push({ kind: "add", ids: [readMemberId(value)] });
    return;
  }
  if (member?.mutability === "readOnly") throw new ScimError(400, "mutability", `"${member.name}" cannot be changed.`);
  if (isEmpty(value)) {
    removeElements(draft, path);
    return;
  }
  const changes = member === null ? readElement(path, value) : { [member.name]: cleanSingle(member, value) };
  const owner = getOwner(draft, list);
  const present = readList(owner, list.attribute.name);
  const matching = new Set(present.filter((element) => matchesFilter(filter, element)));
  const unchanged = present.filter((element) => !matching.has(element));
  // Elements that change are looked at last, so that one that becomes the primary one stays it.
  const changed =
    matching.size > 0
      ? [...matching].map((element) => ({ ...element, ...changes }))
      : [{ ...readValuesOfFilter(filter), ...changes }];
  const marked = keepOnePrimary([...unchanged, ...changed]);
  const byElement = new Map([...unchanged, ...matching].map((element, index) => [element, marked[index] as Members]));
  const result = present.map((element) => byElement.get(element) as Members);
  if (matching.size === 0) result.push(marked.at(-1) as Members);
  checkListLength(list.attribute, result);
  owner[list.attribute.name] = result;
  removeEmpty(draft, list);
}

function readElement({ list }: ElementsPath, value: unknown): Members {
  const [element, ...others] = cleanList(list.attribute, value);
  if (element === undefined || others.length > 0)
    throw invalidValue(`The value for one entry of "${list.attribute.name}" must be one object.`);
  return element;
}

/** The values that an element must have to match: {type: "work"} for [type eq "work"]. */
function readValuesOfFilter(filter: Filter): Members {
  if (filter.kind === "and") return Object.assign({}, ...filter.parts.map(readValuesOfFilter));
  if (filter.kind !== "compare" || filter.operator !== "eq" || filter.value instanceof Date) return {};
  return { [filter.path.attribute.name]: filter.value };
}

function removeAt(resource: Resource, draft: Draft, text: string, value: unknown): void {
  const path = parsePatchPath(resource, text);
  if (path.kind === "elements") {
    removeElements(draft, path);
    return;
  }
  const resolved = resolveName(resource, path.name);
  const isList = resolved.kind === "attribute" && resolved.attribute.multiValued !== undefined;
  if (!isList || resolved.member !== null || isEmpty(value)) {
    setByName(resource, draft, path.name, null, "replace", "operation");
    return;
  }
  // Some clients name the entries to remove in the value instead of in the path.
  if (isIgnored(resolved)) return;
  const entries = Array.isArray(value) ? value : [value];
  if (resolved.attribute.name === "members") {
    draft.memberChanges.push({ kind: "remove", ids: entries.map(readMemberId) });
    return;
  }
  const removed = new Set(cleanList(resolved.attribute, entries).map((element) => element.value));
  const owner = getOwner(draft, resolved);
  owner[resolved.attribute.name] = readList(owner, resolved.attribute.name).filter(
    (element) => !removed.has(element.value),
  );
  removeEmpty(draft, resolved);
}

function removeElements(draft: Draft, { list, filter, member }: ElementsPath): void {
  if (isIgnored(list)) return;
  if (list.attribute.name === "members") {
    draft.memberChanges.push({ kind: "remove matching", filter });
    return;
  }
  const owner = getOwner(draft, list);
  owner[list.attribute.name] = readList(owner, list.attribute.name).flatMap((element) => {
    if (!matchesFilter(filter, element)) return [element];
    if (member === null) return [];
    const { [member.name]: _, ...rest } = element;
    return Object.keys(rest).length === 0 ? [] : [rest];
  });
  removeEmpty(draft, list);
}
