import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Api } from "../../api/index.ts";

export const scopeQueries = {
  /** The names that scopes can contain, with the server's labels: the same in all accounts. */
  names: (api: Api) =>
    queryOptions({
      queryKey: ["scopes"],
      queryFn: () => api.call("GET /scopes", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};

export function useScopeNames() {
  const { api } = useCurrentAccount();
  return useQuery(scopeQueries.names(api));
}
