import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type KeptItem, keptApi } from "../../api/index.ts";

// Values that the interface stores on the server for a person, a team or the account: pins, recents, views, drafts.

export const keptQueries = {
  /** Keys of an account; `keptQueries.items` loads them. */
  key: (account: string, kind: string) => [account, "kept", kind] as const,
  items: <Value>(account: string, kind: string) =>
    queryOptions({
      queryKey: keptQueries.key(account, kind),
      queryFn: () => keptApi(account).list<Value>(kind),
      staleTime: 60_000,
    }),
};

export function useKept<Value>(kind: string, enabled = true) {
  const { account } = useCurrentAccount();
  return useQuery({ ...keptQueries.items<Value>(account.id, kind), enabled });
}

/** Updates the displayed items immediately. The caller also sends the change to the server. */
export const changeKept = <Value>(
  queries: QueryClient,
  account: string,
  kind: string,
  change: (items: readonly KeptItem<Value>[]) => readonly KeptItem<Value>[],
): void => void queries.setQueryData(keptQueries.items<Value>(account, kind).queryKey, (items) => change(items ?? []));
