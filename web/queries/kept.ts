import { type QueryClient, useQuery } from "@tanstack/react-query";
import { type KeptItem, keptApi } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";

// What the interface keeps on the server for a person, a team or the account: pins, recents, views, drafts.

export const keptKey = (account: string, kind: string): readonly string[] => [account, "kept", kind];

export function useKept<Value>(kind: string, enabled = true) {
  const { account } = useCurrentAccount();
  return useQuery({
    queryKey: keptKey(account.id, kind),
    queryFn: () => keptApi(account.id).list<Value>(kind),
    staleTime: 60_000,
    enabled,
  });
}

/** Changes what is shown at once; whoever calls it also tells the server. */
export const changeKept = <Value>(
  queries: QueryClient,
  account: string,
  kind: string,
  change: (items: readonly KeptItem<Value>[]) => readonly KeptItem<Value>[],
): void =>
  void queries.setQueryData<readonly KeptItem<Value>[]>([...keptKey(account, kind)], (items) => change(items ?? []));
