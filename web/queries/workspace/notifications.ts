import { infiniteQueryOptions } from "@tanstack/react-query";
import { type Api, liveApi } from "../../api/index.ts";

export const notificationQueries = {
  /** No record change invalidates them: the stream has a separate event for notifications. */
  pages: (api: Api) =>
    infiniteQueryOptions({
      queryKey: [api.account, "notifications"],
      queryFn: ({ pageParam }) => liveApi(api.account).notifications(pageParam),
      initialPageParam: "",
      getNextPageParam: (page) => page.next,
    }),
};
