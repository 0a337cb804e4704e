import { BadRequest } from "../../base/errors.ts";

/** The position behind a row: its sort key, the rank of its type and its id. */
export type InboxCursor = { order: string; rank: number; id: number };

export const encodeInboxCursor = ({ order, rank, id }: InboxCursor): string =>
  Buffer.from(JSON.stringify([order, rank, id])).toString("base64url");

/** Checks everything: a cursor comes back from a caller, who can send anything. */
export function decodeInboxCursor(text: string): InboxCursor {
  const invalid = new BadRequest("Invalid value for parameter 'after'");
  if (text.length > 200) throw invalid;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw invalid;
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) throw invalid;
  const [order, rank, id]: unknown[] = parsed;
  const isOrder = typeof order === "string" && /^[\w:TZ-]{1,30}$/.test(order);
  if (!isOrder || !isSmallInteger(rank) || !isSmallInteger(id)) throw invalid;
  return { order, rank, id };
}

const isSmallInteger = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
