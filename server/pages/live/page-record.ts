import { BadRequest, NotFound } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import type { Type } from "../../engine/types.ts";
import { ReadableRecords } from "./readable-records.ts";

/** A record that a call of the session interface names by type and id. */
export type PageRecord = { type: Type; id: number };

export function parsePageRecord({ types }: Engine, { type, id }: { type?: unknown; id?: unknown }): PageRecord {
  if (typeof type !== "string" || !types.has(type)) throw new BadRequest("Unknown type");
  const found = types.get(type);
  if (
    found.routes.singleton ||
    found.storage.virtual ||
    !(typeof id === "number" && Number.isInteger(id) && id > 0 && id < 2 ** 31)
  )
    throw new BadRequest("Unknown record");
  return { type: found, id };
}

/** 404 and 403 as for the record itself; returns its revision. */
export async function requireReadable(engine: Engine, by: Caller, { type, id }: PageRecord): Promise<number> {
  await requireRecord(engine, by, type, id, "read");
  const revision = (await new ReadableRecords(engine).load(by, type, [id])).get(id);
  if (revision === undefined) throw new NotFound();
  return revision;
}
