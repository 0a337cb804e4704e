import type { AttributePath } from "../schema/attribute-path.ts";
import { type Filter, getLastAttribute, type Operator } from "./filter.ts";

type Members = Readonly<Record<string, unknown>>;

/** Whether a resource, or an element of one of its lists, meets a filter. */
export function matchesFilter(filter: Filter, members: Members): boolean {
  switch (filter.kind) {
    case "and":
      return filter.parts.every((part) => matchesFilter(part, members));
    case "or":
      return filter.parts.some((part) => matchesFilter(part, members));
    case "not":
      return !matchesFilter(filter.part, members);
    case "present":
      return isPresent(readPath(filter.path, members));
    case "element": {
      const list = readPath(filter.path, members);
      return Array.isArray(list) && list.some((element) => isObject(element) && matchesFilter(filter.part, element));
    }
    case "compare":
      return compare(filter, readPath(filter.path, members));
  }
}

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readPath({ extension, attribute, member }: AttributePath, members: Members): unknown {
  const owner = extension === null ? members : members[extension.urn];
  if (!isObject(owner)) return undefined;
  const value = owner[attribute.name];
  if (member === null) return value;
  return isObject(value) ? value[member.name] : undefined;
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

function compare(filter: Extract<Filter, { kind: "compare" }>, stored: unknown): boolean {
  if (stored === undefined || stored === null) return false;
  if (typeof filter.value === "boolean") return stored === filter.value;
  if (filter.value instanceof Date) {
    const moment = typeof stored === "string" ? Date.parse(stored) : Number.NaN;
    return !Number.isNaN(moment) && inOrder(filter.operator, moment - filter.value.getTime());
  }
  const isExact = getLastAttribute(filter.path).caseExact === true;
  const text = isExact ? String(stored) : String(stored).toLowerCase();
  const value = isExact ? filter.value : filter.value.toLowerCase();
  if (filter.operator === "co") return text.includes(value);
  if (filter.operator === "sw") return text.startsWith(value);
  if (filter.operator === "ew") return text.endsWith(value);
  return inOrder(filter.operator, Buffer.compare(Buffer.from(text), Buffer.from(value)));
}

function inOrder(operator: Operator, difference: number): boolean {
  if (operator === "eq") return difference === 0;
  if (operator === "gt") return difference > 0;
  if (operator === "ge") return difference >= 0;
  return operator === "lt" ? difference < 0 : difference <= 0;
}
