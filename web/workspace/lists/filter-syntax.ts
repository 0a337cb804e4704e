import type { Field } from "../../../records/vocabulary/index.ts";

// A filter is a text in the API's own syntax: `a,b` one of, `!a,b` none of, `>=a<=b` compared, `` none, `!` any.

export type FilterOperator = "is" | "isNot" | "empty" | "filled" | "between" | "before" | "after" | "less" | "more";

export type FilterTerm = { operator: FilterOperator; value: string };

const isMoment = (field: Field): boolean => ["datetime", "date", "target", "localDatetime"].includes(field.kind);
const isNumber = (field: Field): boolean => ["integer", "decimal", "float", "id"].includes(field.kind);

/** The operators for a field of this kind. */
export function listOperators(field: Field): readonly FilterOperator[] {
  const blank: FilterOperator[] = field.access === "required" || field.kind === "id" ? [] : ["empty", "filled"];
  if (isMoment(field)) return ["after", "before", "between", ...blank];
  if (isNumber(field)) return ["is", "isNot", "more", "less", ...blank];
  if (field.kind === "boolean") return ["is"];
  return ["is", "isNot", ...blank];
}

const days = (value: string): [string, string] => {
  const [, from = "", until = ""] = /^(?:>=?([^<>]*))?(?:<=?([^<>]*))?$/.exec(value) ?? [];
  return [from.slice(0, 10), until.slice(0, 10)];
};

export function parseFilter(field: Field, text: string): FilterTerm {
  if (text === "") return { operator: "empty", value: "" };
  if (text === "!") return { operator: "filled", value: "" };
  if (isMoment(field) && /^[<>]/.test(text)) {
    const [from, until] = days(text);
    if (from !== "" && until !== "") return { operator: "between", value: `${from}..${until}` };
    return from === "" ? { operator: "before", value: until } : { operator: "after", value: from };
  }
  if (text.startsWith("!")) return { operator: "isNot", value: text.slice(1) };
  const [, sign, number] = /^([<>]=?)(.*)$/.exec(text) ?? [];
  if (sign !== undefined) return { operator: sign.startsWith(">") ? "more" : "less", value: number ?? "" };
  return { operator: "is", value: text };
}

/** Null: the term is incomplete. Days are whole days in the reader's zone, which the API knows. */
export function writeFilter(field: Field, { operator, value }: FilterTerm): string | null {
  const [start, end] = field.kind === "date" ? ["", ""] : ["T00:00:00", "T23:59:59"];
  if (operator === "empty") return "";
  if (operator === "filled") return "!";
  if (value === "") return null;
  if (operator === "isNot") return `!${value}`;
  if (operator === "more") return `>=${value}`;
  if (operator === "less") return `<=${value}`;
  if (operator === "after") return `>=${value}${start}`;
  if (operator === "before") return `<=${value}${end}`;
  if (operator === "is") return value;
  const [from = "", until = ""] = value.split("..");
  return from === "" || until === "" ? null : `>=${from}${start}<=${until}${end}`;
}
