import { BadRequest } from "../../base/errors.ts";

/** `"7"`, or several revisions with commas; `*` and no header mean any revision. */
export function parseIfMatch(header: string | undefined): ReadonlySet<number> | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const revisions = header.split(",").map((part) => /^\s*"(\d{1,10})"\s*$/.exec(part)?.[1]);
  if (revisions.includes(undefined))
    throw new BadRequest('If-Match must hold a revision in quotes, as in "7"; X-Revision of an answer tells it');
  return new Set(revisions.map(Number));
}
