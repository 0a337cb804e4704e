import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";

export const shownBroadcastQueries = {
  /** The reader's current broadcasts. The live event `broadcast` announces changes, so no rule is needed. */
  shown: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "broadcasts"],
      queryFn: () => api.call("GET /portal/broadcasts", {}),
    }),
};
