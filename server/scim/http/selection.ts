import type { Members } from "../change/draft.ts";
import { isObject } from "../filter/match-filter.ts";
import type { Resource } from "../schema/attribute.ts";
import { resolveName } from "../schema/attribute-path.ts";

// The parameters `attributes` and `excludedAttributes` (RFC 7644, section 3.9).

/** The path of a value: names of members, the extension first. */
type Place = readonly string[];
export type Selection = { only: readonly Place[] | null; without: readonly Place[] };

const alwaysShown: ReadonlySet<string> = new Set(["id", "schemas"]);

/** Unknown names select nothing. `omitted`: attributes that are returned only if selected. */
export function readSelection(
  resource: Resource,
  attributes: string | null,
  excluded: string | null,
  omitted: readonly string[] = [],
): Selection {
  if (attributes !== null && attributes.trim() !== "") return { only: readPlaces(resource, attributes), without: [] };
  return { only: null, without: [...readPlaces(resource, excluded ?? ""), ...omitted.map((name) => [name])] };
}

function readPlaces(resource: Resource, text: string): Place[] {
  return text.split(",").flatMap((part): Place[] => {
    const resolved = resolveName(resource, part.trim());
    if (resolved.kind === "extension") return [[resolved.schema.urn]];
    if (resolved.kind !== "attribute") return [];
    const { extension, attribute, member } = resolved;
    return [[extension?.urn, attribute.name, member?.name].filter((name) => name !== undefined)];
  });
}

/** Whether any of the attribute is shown. */
export const isSelected = ({ only, without }: Selection, name: string): boolean =>
  only === null
    ? !without.some((place) => place.length === 1 && place[0] === name)
    : only.some(([first]) => first === name);

export function selectMembers(members: Members, { only, without }: Selection): Members {
  if (only === null)
    return without.reduce((rest, place) => (alwaysShown.has(place[0] ?? "") ? rest : drop(rest, place)), members);
  const result: Members = {};
  for (const name of alwaysShown) if (name in members) result[name] = members[name];
  for (const place of only) pick(members, place, result);
  return result;
}

function drop(members: Members, [name = "", ...inner]: Place): Members {
  if (!(name in members)) return members;
  const { [name]: value, ...rest } = members;
  if (inner.length === 0) return rest;
  const dropped = mapObjects(value, (object) => drop(object, inner));
  return { ...rest, [name]: dropped };
}

function pick(members: Members, [name = "", ...inner]: Place, into: Members): void {
  if (!(name in members)) return;
  if (inner.length === 0) {
    into[name] = members[name];
    return;
  }
  const value = members[name];
  const present = into[name];
  if (Array.isArray(value))
    into[name] = value.map((element, at) => {
      const target: Members = Array.isArray(present) && isObject(present[at]) ? { ...(present[at] as Members) } : {};
      if (isObject(element)) pick(element as Members, inner, target);
      return target;
    });
  else if (isObject(value)) {
    const target: Members = isObject(present) ? { ...present } : {};
    pick(value as Members, inner, target);
    into[name] = target;
  }
}

const mapObjects = (value: unknown, change: (object: Members) => Members): unknown =>
  Array.isArray(value)
    ? value.map((element) => (isObject(element) ? change(element as Members) : element))
    : isObject(value)
      ? change(value as Members)
      : value;
