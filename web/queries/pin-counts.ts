import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useCurrentAccount } from "../current-account.ts";
import { whenIdle } from "../parts/when-idle.ts";
import { findEntryByCollection } from "../type-index.ts";
import type { Pin } from "./pins.ts";

// How many records pinned lists have. They are counted when the page stands, all of them in one call.

const minute = 60_000;
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
export function usePinCounts(pins: readonly Pin[]): ReadonlyMap<string, number> {
  const { account, api } = useCurrentAccount();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const lists = pins.flatMap(({ path }) => {
    const list = parseList(path);
    return list === null ? [] : [{ path, ...list }];
  });
  return useQueries({
    queries: lists.map(({ path, collection, query }) => ({
      queryKey: [account.id, "pin count", path],
      queryFn: async () => (await api.list(`/${collection}`, { ...query, fields: "id", per_page: "1" })).total,
      enabled: isIdle,
      staleTime: minute,
      refetchInterval: 2 * minute,
      retry: false,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at): [string, number][] =>
          data === undefined ? [] : [[lists[at]?.path ?? "", data]],
        ),
      ),
  });
}
