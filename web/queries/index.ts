import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Query, RevisedRow } from "../api/index.ts";
import { choiceLabel } from "../languages/labels.ts";
import { isOffered } from "../languages/page-labels.ts";
import { accountQueries } from "./account.ts";
import { listQueries, type NamedType, recordPageKey, recordQueries } from "./records.ts";
import { orderStatuses } from "./status-order.ts";

// Hooks that many pages use. Their factories define the keys, the calls and the changes that invalidate them.

export { useWhoAmI } from "./signed-in-person.ts";
export { recordPageKey };

export type Choice = { value: string; label: string };

export function useList(path: string, query: Query) {
  const { api } = useCurrentAccount();
  return useQuery({ ...listQueries.path(api, path, query), placeholderData: keepPreviousData });
}

/** The page shows the response of a save from now on. */
export const showSavedRecord = (queries: QueryClient, account: string, type: string, saved: RevisedRow): void =>
  void queries.setQueryData(recordPageKey(account, type, saved.row.id), saved);

export function useRecord(type: NamedType, id: string) {
  const { api } = useCurrentAccount();
  return useQuery({ ...recordQueries.page(api, type, id), select: ({ row }) => row });
}

/** The choices of an enumeration in the reader's language; statuses in the order in which they are offered. */
export function useEnumeration(key: string, only?: readonly string[]): Choice[] {
  const { api } = useCurrentAccount();
  const { data } = useQuery(accountQueries.enums(api));
  const known = data?.[key]?.map(({ id }) => id) ?? only ?? [];
  const values = key.endsWith(".status") ? orderStatuses(known) : known;
  return values
    .filter((value) => isOffered(key, value) && (only?.includes(value) ?? true))
    .map((value) => ({ value, label: choiceLabel(key, value) }));
}
