import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { type Query, type RevisedRow, revisionsApi, sessionApi } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";
import { readAfterWrites } from "../live/write-queue.ts";
import { orderStatuses } from "./status-order.ts";

// What is read from the server and kept for a while. Keys begin with the account: nothing crosses over.

export type Choice = { id: string; txt: string };

export const useWhoAmI = () =>
  useQuery({ queryKey: ["who"], queryFn: sessionApi.whoAmI, staleTime: Number.POSITIVE_INFINITY });

export function useList(path: string, query: Query) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "list", path, query],
    queryFn: () => api.list(path, query),
    placeholderData: keepPreviousData,
  });
}

/** What the page of a record shows: shared with lists, which load a record when the focus rests on its row. */
export const recordPageKey = (account: string, type: string, id: string | number) =>
  [account, "record", type, String(id), "page"] as const;

/** The answer of a save is what the page shows from now on. */
export const showSavedRecord = (queries: QueryClient, account: string, type: string, saved: RevisedRow): void =>
  void queries.setQueryData(recordPageKey(account, type, saved.row.id), saved);

export function useRecord(type: RecordType, id: string) {
  const { account } = useCurrentAccount();
  return useQuery({
    queryKey: recordPageKey(account.id, type.name, id),
    queryFn: () => readAfterWrites(() => revisionsApi(account.id).get(`/${type.collection}/${encodeURIComponent(id)}`)),
    select: ({ row }) => row,
  });
}

const orderChoices = (choices: readonly Choice[] = []): readonly Choice[] => {
  const order = orderStatuses(choices.map(({ id }) => id));
  return choices.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
};

/** Labels of all choices, in the language of the reader; statuses in the order in which they are offered. */
export function useEnumeration(key: string, only?: readonly string[]): readonly Choice[] {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "enums"],
    queryFn: () => api.get<Record<string, Choice[]>>("/enums"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const choices = key.endsWith(".status") ? orderChoices(data?.[key]) : (data?.[key] ?? []);
  return only === undefined ? choices : choices.filter(({ id }) => only.includes(id));
}

const auditFields = "action,created_at,created_by,user,changes,origin";

export function useAudit(path: string) {
  const { account, api } = useCurrentAccount();
  return useInfiniteQuery({
    queryKey: [account.id, "audit", path],
    queryFn: ({ pageParam }) =>
      api.list(`${path}/audit`, { fields: auditFields, search_after: pageParam === "" ? undefined : pageParam }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}

/** What scopes can name, in the words of the server. */
export const useScopeNames = () =>
  useQuery({ queryKey: ["scopes"], queryFn: sessionApi.scopes, staleTime: Number.POSITIVE_INFINITY });
