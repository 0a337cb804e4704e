import { useQuery, useQueryClient } from "@tanstack/react-query";
import { portalApi } from "../api/portal.ts";
import { keptApi, type PortalRequest, type Row } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";
import { lookKey, parseLook } from "../portal-look.ts";

// What the portal reads. Keys begin with the account.

export type Note = Row & {
  text?: string;
  person: { id: number; name: string } | null;
  medium?: string;
  created_at: string;
  attachments?: readonly { key: string; name: string; uri: string; size: number | null; inline: boolean }[];
};

export function useHome() {
  const { account } = useCurrentAccount();
  return useQuery({ queryKey: [account.id, "home"], queryFn: () => portalApi(account.id).home(), staleTime: 30_000 });
}

export function useOwnRequests(show: string) {
  const { account } = useCurrentAccount();
  return useQuery({ queryKey: [account.id, "requests", show], queryFn: () => portalApi(account.id).requests(show) });
}

const whileWorkflowRuns = 20_000; // milliseconds

/** All keys of a request begin alike, so that news about it renews everything of it. */
export const requestKey = (account: string, id: string | number) => [account, "request", String(id)];

export function useRequest(id: string) {
  const { account, api } = useCurrentAccount();
  const key = requestKey(account.id, id);
  const path = `/requests/${encodeURIComponent(id)}`;
  const request = useQuery({ queryKey: [...key, "record"], queryFn: () => api.get<PortalRequest>(path) });
  return {
    request,
    notes: useQuery({
      queryKey: [...key, "notes"],
      queryFn: async () => (await api.list(`${path}/notes`, { sort: "-id", per_page: "100" })).rows.reverse() as Note[],
    }),
    progress: useQuery({
      queryKey: [...key, "progress"],
      queryFn: () => portalApi(account.id).progress(id),
      // Who is asked for an approval follows from tasks, whose changes the requester is not told of.
      ...(request.data?.status === "workflow_pending" ? { refetchInterval: whileWorkflowRuns } : {}),
    }),
    watches: useQuery({
      queryKey: [...key, "watches"],
      queryFn: async () =>
        (await api.list(`${path}/watches`, { per_page: "50" })).rows as (Row & {
          person: { id: number; name: string };
        })[],
    }),
  };
}

export function useRefresh() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  /** a request and everything that lists it */
  return async (id?: number): Promise<void> => {
    const renew = (key: unknown[]) => queries.invalidateQueries({ queryKey: key });
    await Promise.all([
      renew([account.id, "home"]),
      renew([account.id, "requests"]),
      renew([account.id, "approvals"]),
      ...(id === undefined ? [] : [renew(requestKey(account.id, id))]),
    ]);
  };
}

/** What the person has put away: broadcasts by id, with the moment of the change that they put away. */
export type PutAway = Readonly<Record<string, string>>;

export function useKeptPortal() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const key = [account.id, "kept", "portal"];
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => keptApi(account.id).list<Record<string, unknown>>("portal"),
    staleTime: 300_000,
  });
  const putAway = (data?.find((item) => item.key === "put-away" && item.owner === "me")?.value ?? {}) as PutAway;
  const look = parseLook(data?.find((item) => item.key === lookKey && item.owner === "account")?.value);
  return {
    isLoaded: data !== undefined,
    look,
    putAway,
    async setPutAway(value: PutAway) {
      const own = { key: "put-away", owner: "me", value, updated_at: "" };
      queries.setQueryData(key, [...(data ?? []).filter((item) => item.key !== "put-away"), own]);
      await keptApi(account.id).put("portal", "put-away", value);
    },
  };
}
