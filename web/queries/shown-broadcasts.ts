import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";

export const shownBroadcastQueries = {
  /** What is shown to the reader now. The live event `broadcast` announces changes, so that no rule is needed. */
  shown: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "broadcasts"],
      queryFn: () => api.call("GET /portal/broadcasts", {}),
    }),
};
