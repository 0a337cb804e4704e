import { hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { list, type RowScope } from "../../engine/list.ts";
import type { Parameter } from "../../engine/read/list-query.ts";

type Selection = {
  fields: readonly string[];
  views?: readonly string[];
  filters?: readonly Parameter[];
  sort?: string;
  perPage: number;
  scope?: RowScope;
};

/**
 * Records of a type as the caller may read them; none where the caller has no right on the type at all. `Listed`: a record
 * with the fields of the selection.
 */
export async function listRecords<Listed extends { id: number }>(
  engine: Engine,
  by: Caller,
  name: string,
  { fields, views = [], filters = [], sort, perPage, scope }: Selection,
): Promise<{ records: Listed[]; total: number; isTotalOld: boolean }> {
  const type = engine.types.get(name);
  if (!hasAnyGrant(type, "read", by)) return { records: [], total: 0, isTotalOld: false };
  const query = { views, fields, filters, sort: sort ?? null, perPage, page: null, after: null, before: null };
  const { records, total, totalAge } = await list(engine, by, type, query, scope);
  return { records: records.map((json): Listed => JSON.parse(json)), total, isTotalOld: totalAge > 0 };
}

const idsPerQuery = 100;

/** The records among these that the caller may read, and finds in the views. */
export async function findReadable(
  engine: Engine,
  by: Caller,
  name: string,
  ids: readonly number[],
  views: readonly string[] = [],
): Promise<ReadonlySet<number>> {
  const readable = new Set<number>();
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const filters = [{ name: "id", value: ids.slice(at, at + idsPerQuery).join() }];
    const { records } = await listRecords(engine, by, name, { fields: ["id"], views, filters, perPage: idsPerQuery });
    for (const { id } of records) readable.add(id);
  }
  return readable;
}
