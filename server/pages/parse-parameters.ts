import { NotFound } from "../base/errors.ts";

/** The number in a path; what is none leads nowhere. */
export function parseIdParameter(params: Readonly<Record<string, string>>, name = "id"): number {
  const text = params[name] ?? "";
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id < 2 ** 31)) throw new NotFound();
  return id;
}

/** The line of a list to go on before; what is none begins at the top. */
export function parseBeforeParameter(query: URLSearchParams): number | null {
  const text = query.get("before") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
