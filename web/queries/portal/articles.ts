import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

// Knowledge in the portal: articles and other suggestions for a text.

export const portalArticleQueries = {
  all: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "articles"],
      queryFn: () => api.call("GET /portal/articles", {}),
      staleTime: 60_000,
    }),
  one: (api: Api, id: string, locale: string | null) =>
    queryOptions({
      queryKey: [api.account, "article", id, locale],
      queryFn: () => api.call("GET /portal/articles/:id", { id, locale: locale ?? undefined }),
      staleTime: 60_000,
      placeholderData: keepPreviousData,
    }),
  search: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "search", text],
      queryFn: () => api.call("GET /portal/articles/search", { text }),
      retry: false,
    }),
  /** Articles, forms and the reader's own requests that match a text. */
  findings: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "findings", text],
      queryFn: () => api.call("GET /suggestions", { text }),
      staleTime: 60_000,
      placeholderData: keepPreviousData,
    }),
};
