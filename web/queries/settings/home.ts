import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import type { SearchResult } from "../../api/search.ts";

/** The number of records shown by the settings search. */
export const shownHits = 8;

export const settingsHomeQueries = {
  overview: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "settings overview"],
      queryFn: () => api.call("GET /settings_overview", {}),
      retry: false,
    }),
  search: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "settings search", text],
      queryFn: () => api.list<SearchResult>("/search", { q: text, per_page: String(shownHits) }),
      enabled: text.length > 1,
      retry: false,
    }),
  sampleWork: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "sample work"],
      queryFn: () => api.call("GET /sample_work", {}),
      retry: false,
    }),
};
