import { invalidValue } from "../errors.ts";

/** The most resources of a page. */
export const pageSize = 25;

/** The parameters of a list, in the query or in the body of a search. */
export type ListParameters = {
  filter: string | null;
  startIndex: number;
  count: number;
  attributes: string | null;
  excludedAttributes: string | null;
};

/** Names of parameters do not regard case: clients write startindex, too. */
export function readListParameters(given: (name: string) => unknown): ListParameters {
  return {
    filter: readText(given("filter"), "filter"),
    startIndex: Math.max(1, readNumber(given("startIndex"), "startIndex", 1)),
    count: Math.min(pageSize, Math.max(0, readNumber(given("count"), "count", pageSize))),
    attributes: readNames(given("attributes"), "attributes"),
    excludedAttributes: readNames(given("excludedAttributes"), "excludedAttributes"),
  };
}

function readText(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw invalidValue(`"${name}" must be a text.`);
  return value;
}

export function readNames(value: unknown, name: string): string | null {
  const list = Array.isArray(value) ? value : [value];
  if (list.some((each) => each !== undefined && each !== null && typeof each !== "string"))
    throw invalidValue(`"${name}" must name attributes.`);
  return list.every((each) => each == null) ? null : list.join(",");
}

/** Positions that no list reaches need no more digits. */
function readNumber(value: unknown, name: string, otherwise: number): number {
  if (value === undefined || value === null || value === "") return otherwise;
  const text = String(value).trim();
  if (!/^[+-]?\d{1,9}$/.test(text)) throw invalidValue(`"${name}" must be a whole number.`);
  return Number(text);
}

export const readParameter =
  (query: URLSearchParams) =>
  (name: string): string | undefined => {
    const wanted = name.toLowerCase();
    for (const [key, value] of query) if (key.toLowerCase() === wanted) return value;
    return undefined;
  };

export const readMember =
  (body: Readonly<Record<string, unknown>>) =>
  (name: string): unknown => {
    const wanted = name.toLowerCase();
    return Object.entries(body).find(([key]) => key.toLowerCase() === wanted)?.[1];
  };
