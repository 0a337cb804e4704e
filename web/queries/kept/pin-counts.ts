import type { recordsApi } from "../../api/index.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import type { Total } from "../total.ts";

// The number of records in pinned lists. The frame loads all of them in one call after the page has rendered.

/** Parameters that change a list's appearance, not its content. */
const ofTheLook = ["view", "layout", "group", "fields", "sort", "month", "by", "peek", "new"];

/** "/a/<account>/requests?team=7": the collection and its filters; null: not a list, or one without filters. */
function parseList(path: string): { collection: string; query: Record<string, string> } | null {
  const [, collection = "", search = ""] = /^\/a\/[^/]+\/([a-z_]+)\?(.*)$/.exec(path) ?? [];
  if (findEntryByCollection(collection) === undefined) return null;
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const name of ofTheLook) delete query[name];
  return Object.keys(query).length === 0 ? null : { collection, query };
}

/** By path. Pages that aren't lists have no count. */
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
      return []; // a filter that the server no longer supports
    }
  });
  return Object.fromEntries((await Promise.all(counts)).flat());
}
