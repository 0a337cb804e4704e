import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

export const identityProviderQueries = {
  /** prefix of all keys of the subject */
  all: (api: Api) => [api.account, "identity providers"] as const,
  list: (api: Api) =>
    queryOptions({
      queryKey: identityProviderQueries.all(api),
      queryFn: () => api.call("GET /identity_providers", {}),
    }),
  one: (api: Api, id: number) =>
    queryOptions({
      queryKey: [...identityProviderQueries.all(api), id],
      queryFn: () => api.call("GET /identity_providers/:id", { id }),
    }),
};
