import type { recordsApi } from "../../api/index.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import type { Total } from "../total.ts";

// How many records pinned lists have. The frame asks for them once the page is shown, all in one call.

/** Parameters that change how a list looks, not what it contains. */
const ofTheLook = ["view", "layout", "group", "fields", "sort", "month", "by", "peek", "new"];

/** "/a/<account>/requests?team=7": the collection and its filters; null: not a list, or one without filters. */
function parseList(path: string): { collection: string; query: Record<string, string> } | null {
  const [, collection = "", search = ""] = /^\/a\/[^/]+\/([a-z_]+)\?(.*)$/.exec(path) ?? [];
  if (findEntryByCollection(collection) === undefined) return null;
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const name of ofTheLook) delete query[name];
  return Object.keys(query).length === 0 ? null : { collection, query };
}

/** By path. Pages that are not lists have no count. */
export async function countPins(
  api: ReturnType<typeof recordsApi>,
  paths: readonly string[],
): Promise<Record<string, Total>> {
  const counts = paths.map(async (path): Promise<[string, Total][]> => {
    const list = parseList(path);
    if (list === null) return [];
    try {
      const query = { ...list.query, fields: "id", per_page: "1" };
      return [[path, await api.list(`/${list.collection}`, query)]];
    } catch {
      return []; // a filter that the server no longer knows
    }
  });
  return Object.fromEntries((await Promise.all(counts)).flat());
}
