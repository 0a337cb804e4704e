import { NotFound } from "../base/errors.ts";

/** A record id in a path; anything else is a 404. */
export function parseIdParameter(params: Readonly<Record<string, string>>, name = "id"): number {
  const text = params[name] ?? "";
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id < 2 ** 31)) throw new NotFound();
  return id;
}

/** A member of a body that should be text; anything else is none. */
export const toText = (value: unknown): string => (typeof value === "string" ? value : "");
