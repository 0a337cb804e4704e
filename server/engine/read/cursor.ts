import { BadRequest } from "../../base/errors.ts";
import { isStorable } from "../kinds/kind.ts";
import type { SortOrder } from "./sort.ts";

/** A position in a sorted collection: the sort keys of a row, ending with its id, and its index, for page numbers. */
export type Cursor = { offset: number; keyValues: (string | null)[] };

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify({ offset: cursor.offset, cursor: cursor.keyValues })).toString("base64url");

const valuePatterns: Record<string, RegExp> = {
  integer: /^-?\d{1,10}$/,
  bigint: /^-?\d{1,18}$/,
  numeric: /^-?\d{1,30}(\.\d{1,30})?$/,
  "double precision": /^-?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamptz: /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d([+-]\d\d(:\d\d){0,2}|Z)$/,
};

/** Whether the day, the time and the offset exist. */
function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (day < "0001" || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return false;
  const [hour = "0", minute = "0", second = "0"] = text.slice(11, 19).split(":");
  const offset = /[+-](\d\d)/.exec(text.slice(19))?.[1] ?? "0";
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && Number(offset) < 16;
}

/** Checks everything: a cursor comes back from a caller, who can send anything. */
export function decodeCursor(text: string, parameter: string, order: SortOrder): Cursor {
  const invalid = new BadRequest(`Invalid value for parameter '${parameter}'`);
  let parsed: { offset?: unknown; cursor?: unknown };
  try {
    parsed = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as typeof parsed;
  } catch {
    throw invalid;
  }
  if (
    typeof parsed !== "object" ||
    parsed === null ||
    !Array.isArray(parsed.cursor) ||
    parsed.cursor.length !== order.keys.length
  )
    throw invalid;
  const { offset } = parsed;
  if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0 || offset > 2_147_483_647) throw invalid;
  const keyValues = parsed.cursor.map((value: unknown, index) => {
    const key = order.keys[index];
    if (value === null && key?.nullable) return null;
    const pattern = valuePatterns[key?.sqlType ?? ""];
    if (
      typeof value !== "string" ||
      value.length > 66_000 ||
      !isStorable(value) ||
      (pattern !== undefined && !pattern.test(value))
    )
      throw invalid;
    if (key?.sqlType === "integer" && Math.abs(Number(value)) > 2_147_483_647) throw invalid;
    if (key?.sqlType === "double precision" && !Number.isFinite(Number(value))) throw invalid;
    if ((key?.sqlType === "date" || key?.sqlType === "timestamptz") && !isMoment(value)) throw invalid;
    return value;
  });
  return { offset, keyValues };
}
