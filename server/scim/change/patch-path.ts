import { invalidPath, ScimError } from "../errors.ts";
import type { Filter } from "../filter/filter.ts";
import { parseElementFilter } from "../filter/parse-filter.ts";
import { readTokens, type Token } from "../filter/tokens.ts";
import { type Attribute, findAttribute, type Resource } from "../schema/attribute.ts";
import { type AttributePath, resolveName } from "../schema/attribute-path.ts";

/** The target of an operation: a name, or some elements of a list, or a member of those elements. */
export type PatchPath =
  | { kind: "name"; name: string }
  | { kind: "elements"; list: AttributePath; filter: Filter; member: Attribute | null };

/** Reads the path of an operation, or a key of a value that is written like one. */
export function parsePatchPath(resource: Resource, text: string): PatchPath {
  const start = text.indexOf("[");
  if (start < 0) return { kind: "name", name: text.trim() };
  const name = text.slice(0, start).trim();
  const list = resolveName(resource, name);
  if (list.kind === "unknown extension") return { kind: "name", name };
  if (list.kind !== "attribute" || list.member !== null) throw invalidPath(`There is no attribute "${name}".`);
  const { filter, rest } = splitBrackets(text.slice(start));
  // manager[value eq "x"] means the manager: an attribute with one value has nothing to select from.
  if (list.attribute.multiValued === undefined) return { kind: "name", name: joinMember(name, rest) };
  return {
    kind: "elements",
    list,
    filter: parseElementFilter(list.attribute, filter),
    member: findMember(list.attribute, rest),
  };
}

/** The tokens between the brackets, and the name behind them. */
function splitBrackets(text: string): { filter: readonly Token[]; rest: string | null } {
  const tokens = readPathTokens(text);
  const end = tokens.findLastIndex((token) => token.kind === "symbol" && token.text === "]");
  if (end < 0) throw invalidPath('The path has no "]".');
  const [point, name, ...others] = tokens.slice(end + 1);
  const filter = tokens.slice(1, end);
  if (point === undefined) return { filter, rest: null };
  if (point.kind !== "symbol" || point.text !== "." || name?.kind !== "name" || others.length > 0)
    throw invalidPath('Behind "]" only the name of a member is expected.');
  return { filter, rest: name.text };
}

function readPathTokens(text: string): Token[] {
  try {
    return readTokens(text);
  } catch (error) {
    if (error instanceof ScimError) throw invalidPath("The path cannot be read.");
    throw error;
  }
}

const joinMember = (name: string, member: string | null) => (member === null ? name : `${name}.${member}`);

function findMember(list: Attribute, name: string | null): Attribute | null {
  if (name === null) return null;
  const member = findAttribute(list.members ?? [], name);
  if (member === undefined) throw invalidPath(`"${list.name}" has no member "${name}".`);
  return member;
}
