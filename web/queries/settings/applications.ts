import { queryOptions } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import type { Api } from "../../api/index.ts";

export const applicationQueries = {
  /** prefix of all keys of the subject */
  all: (api: Api) => [api.account, "applications"] as const,
  list: (api: Api) =>
    queryOptions({
      queryKey: applicationQueries.all(api),
      queryFn: () => administrationApi(api.account).applications(),
    }),
  one: (api: Api, id: number) =>
    queryOptions({
      queryKey: [...applicationQueries.all(api), id],
      queryFn: () => administrationApi(api.account).application(id),
    }),
};
