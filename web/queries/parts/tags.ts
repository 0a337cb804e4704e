import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

export const tagQueries = {
  /** Tags in use that contain the text. */
  search: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "tags", text],
      queryFn: () => api.call("GET /tags", { text }),
      staleTime: 30_000,
      retry: false,
    }),
};
