import { BadRequest } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { ListQuery, Parameter } from "../../engine/read/list-query.ts";

/** Keeps the parameters as sent: names may repeat or end in "!", values may begin with operators. */
export function parseQuery(text: string): Parameter[] {
  if (text === "") return [];
  const parameters: Parameter[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const [name, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    parameters.push({ name: decodeParameter(name), value: decodeParameter(value) });
    if (parameters.length > 200) throw new BadRequest("Too many parameters");
  }
  return parameters;
}

function decodeParameter(text: string): string {
  let result: string;
  try {
    result = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new BadRequest("The query string is not valid percent-encoded UTF-8");
  }
  if (!isStorable(result)) throw new BadRequest("The query string contains invalid characters");
  return result;
}

const reservedParameters = new Set([
  "fields",
  "sort",
  "per_page",
  "page",
  "search_after",
  "search_before",
  "state",
  "predefined_filter",
]);

/** The parameters of a list. All names that are not reserved are filters. */
export function parseListQuery(parameters: readonly Parameter[], view: string | null): ListQuery {
  const getSingle = (name: string): string | null => {
    const values = parameters.filter((parameter) => parameter.name === name).map((parameter) => parameter.value);
    if (new Set(values).size > 1) throw new BadRequest(`Parameter '${name}' is given more than once`);
    return values[0] ?? null;
  };
  const views = [view, getSingle("state"), getSingle("predefined_filter")].filter(
    (name) => name !== null && name !== "",
  ) as string[];
  const after = getSingle("search_after");
  const before = getSingle("search_before");
  if (after !== null && before !== null)
    throw new BadRequest("Parameters 'search_after' and 'search_before' exclude each other");
  return {
    views: [...new Set(views)],
    fields: splitFieldNames(getSingle("fields")),
    filters: parameters.filter((parameter) => !reservedParameters.has(parameter.name)),
    sort: getSingle("sort"),
    perPage: Math.min(100, parsePositiveInteger("per_page", getSingle("per_page"), 20)),
    page: parsePositiveInteger("page", getSingle("page"), 0) || null,
    after,
    before,
  };
}

/** The names in ?fields=, or null when the parameter is absent. */
export function parseFields(parameters: readonly Parameter[]): string[] | null {
  return splitFieldNames(parameters.find((parameter) => parameter.name === "fields")?.value ?? null);
}

function splitFieldNames(text: string | null): string[] | null {
  if (text === null) return null;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names;
}

function parsePositiveInteger(name: string, text: string | null, fallback: number): number {
  if (text === null || text === "") return fallback;
  if (!/^-?\d+$/.test(text)) throw new BadRequest(`Parameter '${name}' must be an integer`);
  const number = Number(text);
  if (number < 1) throw new BadRequest(`Parameter '${name}' cannot be less than 1`);
  if (number > 2_147_483_647) {
    if (name === "per_page") return 100;
    throw new BadRequest(`Parameter '${name}' is too large`);
  }
  return number;
}

export const getParameter = (parameters: readonly Parameter[], wanted: string): string | undefined =>
  parameters.find(({ name }) => name === wanted)?.value;

/** A whole number from 1 on; undefined: it is not given. */
export function parseNumberParameter(parameters: readonly Parameter[], name: string, most: number): number | undefined {
  const text = getParameter(parameters, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 1 && number <= most)) throw new BadRequest(`${name} is not valid`);
  return number;
}
