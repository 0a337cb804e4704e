import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfList } from "../change-rules.ts";
import { listQueries } from "../records.ts";

type Target = { readonly name: string; readonly collection: string; readonly display: string };

export const linkQueries = {
  /**
   * Records of a type that can be linked. `search`: words of their name; null: the type has no search, so the first
   * records are listed.
   */
  linkable: (api: Api, { name, collection, display }: Target, search: string | null) =>
    queryOptions({
      queryKey: [...listQueries.of(api, `/${collection}`), "to link", search ?? ""],
      queryFn: () =>
        api.list(`/${collection}`, {
          fields: name === "ci" ? "label,name" : display,
          per_page: search === null ? "100" : "20",
          ...(search === null || search === "" ? {} : { q: search }),
        }),
      meta: { changedBy: changesOfList(`/${collection}`) },
    }),
  /** The lengths of the lists below a record; `lists`: their names, joined. */
  counts: (api: Api, type: string, id: number, lists: string) =>
    queryOptions({
      queryKey: [...listQueries.all(api), "counts", type, id, lists],
      queryFn: () => api.call("GET /list_counts", { type, id, lists }),
      enabled: lists !== "",
    }),
};
