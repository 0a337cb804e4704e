import { infiniteQueryOptions } from "@tanstack/react-query";
import { type Api, liveApi } from "../../api/index.ts";

export const notificationQueries = {
  /** No change of a record concerns them: the stream has an event of its own for notifications. */
  pages: (api: Api) =>
    infiniteQueryOptions({
      queryKey: [api.account, "notifications"],
      queryFn: ({ pageParam }) => liveApi(api.account).notifications(pageParam),
      initialPageParam: "",
      getNextPageParam: (page) => page.next,
    }),
};
