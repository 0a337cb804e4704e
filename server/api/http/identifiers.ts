import { NotFound } from "../../base/errors.ts";
import type { Type } from "../../engine/types.ts";

/** The :id of a path: a positive integer, or the nodeID of a record of that type. Anything else names nothing. */
export function parseRecordId(text: string | undefined, type: Type, domain: string): number {
  if (text === undefined) throw new NotFound();
  if (/^\d{1,10}$/.test(text)) return requireIdInRange(Number(text));
  if (!/^[A-Za-z0-9_-]{8,200}$/.test(text)) throw new NotFound();
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  const start = `${domain}/${type.nodeType}/`;
  const number = decoded.startsWith(start) ? decoded.slice(start.length) : "";
  if (!/^\d{1,10}$/.test(number)) throw new NotFound();
  return requireIdInRange(Number(number));
}

function requireIdInRange(id: number): number {
  if (id < 1 || id > 2_147_483_647) throw new NotFound();
  return id;
}
