import type { recordsApi } from "../api.ts";
import type { Total } from "../parts/lists/total.ts";
import { findEntryByCollection } from "../type-index.ts";
import type { Pin } from "./pins.ts";

// How many records pinned lists have. They are wanted when the page stands, all of them in one call.

/** parameters of a list that say how it looks, not what is in it */
const ofTheLook = ["view", "layout", "group", "fields", "sort", "month", "by", "peek", "new"];

/** "/a/<account>/requests?team=7": the collection and its filters; null: no list that is narrowed. */
function parseList(path: string): { collection: string; query: Record<string, string> } | null {
  const [, collection = "", search = ""] = /^\/a\/[^/]+\/([a-z_]+)\?(.*)$/.exec(path) ?? [];
  if (findEntryByCollection(collection) === undefined) return null;
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const name of ofTheLook) delete query[name];
  return Object.keys(query).length === 0 ? null : { collection, query };
}

/** By the addresses of the pins; those that are no lists have no count. */
export async function countPins(
  api: ReturnType<typeof recordsApi>,
  pins: readonly Pin[],
): Promise<Record<string, Total>> {
  const counts = pins.map(async ({ path }): Promise<[string, Total][]> => {
    const list = parseList(path);
    if (list === null) return [];
    try {
      const query = { ...list.query, fields: "id", per_page: "1" };
      return [[path, await api.list(`/${list.collection}`, query)]];
    } catch {
      return []; // a filter that is not understood any more
    }
  });
  return Object.fromEntries((await Promise.all(counts)).flat());
}
