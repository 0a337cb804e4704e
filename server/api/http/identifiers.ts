import { NotFound } from "../../base/errors.ts";
import type { Type } from "../../engine/types.ts";

/** The :id of a path is a positive integer or the nodeID of a record of that type; anything else is a 404. */
export function parseRecordId(text: string | undefined, type: Type, domain: string): number {
  if (text === undefined) throw new NotFound();
  if (/^\d{1,10}$/.test(text)) return requireIdInRange(Number(text));
  if (!/^[A-Za-z0-9_-]{8,200}$/.test(text)) throw new NotFound();
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  const prefix = `${domain}/${type.nodeType}/`;
  const number = decoded.startsWith(prefix) ? decoded.slice(prefix.length) : "";
  if (!/^\d{1,10}$/.test(number)) throw new NotFound();
  return requireIdInRange(Number(number));
}

function requireIdInRange(id: number): number {
  if (id < 1 || id > 2_147_483_647) throw new NotFound();
  return id;
}
