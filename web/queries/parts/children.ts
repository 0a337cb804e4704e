import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfPath } from "../change-rules.ts";

export const childQueries = {
  /** A record below another one, with all of its fields. */
  one: (api: Api, path: string, id: number | undefined) =>
    queryOptions({
      queryKey: [api.account, "child", path, id],
      queryFn: () => api.get(`${path}/${id}`),
      meta: { changedBy: changesOfPath(path) },
    }),
};
