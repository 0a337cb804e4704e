import { BadRequest, NotFound } from "../../base/errors.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { requireRecord } from "../find.ts";
import type { Type } from "../types.ts";
import { ReadableRecords } from "./readable-records.ts";

/** A record of any type, which a call names by type and id. */
export type RecordKey = { type: Type; id: number };

export function parseRecordKey({ types }: Engine, { type, id }: { type?: unknown; id?: unknown }): RecordKey {
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
export async function requireReadable(engine: Engine, by: Caller, { type, id }: RecordKey): Promise<number> {
  await requireRecord(engine, by, type, id, "read");
  const revision = (await new ReadableRecords(engine).load(by, type, [id])).get(id);
  if (revision === undefined) throw new NotFound();
  return revision;
}
