import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../api/current-account.ts";
import { keptApi } from "../api/index.ts";
import { lookKey, parseLook } from "../base/portal-look.ts";
import { keptQueries } from "../queries/kept/kept-items.ts";
import {
  type PortalRequest,
  portalApprovalQueries,
  portalHomeQueries,
  portalRequestQueries,
} from "../queries/portal/requests.ts";

// Hooks for data that several pages of the portal read.

export type { PortalRequest };
export type Note = NonNullable<ReturnType<typeof useRequest>["notes"]["data"]>[number];

export function useHome() {
  const { api } = useCurrentAccount();
  return useQuery(portalHomeQueries.home(api));
}

export function useOwnRequests(show: string) {
  const { api } = useCurrentAccount();
  return useQuery(portalRequestQueries.list(api, show));
}

const whileWorkflowRuns = 20_000; // milliseconds

export function useRequest(id: string) {
  const { api } = useCurrentAccount();
  const request = useQuery(portalRequestQueries.request(api, id));
  return {
    request,
    notes: useQuery(portalRequestQueries.notes(api, id)),
    progress: useQuery({
      ...portalRequestQueries.progress(api, id),
      // Approvers depend on tasks, whose changes the stream does not send to the requester.
      ...(request.data?.status === "workflow_pending" ? { refetchInterval: whileWorkflowRuns } : {}),
    }),
    watches: useQuery(portalRequestQueries.watches(api, id)),
  };
}

export function useRefresh() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  /** Refetches a request and every list that contains it. */
  return async (id?: number): Promise<void> => {
    const renew = (queryKey: readonly unknown[]) => queries.invalidateQueries({ queryKey });
    await Promise.all([
      renew(portalHomeQueries.home(api).queryKey),
      renew(portalRequestQueries.lists(api)),
      renew(portalApprovalQueries.list(api).queryKey),
      ...(id === undefined ? [] : [renew(portalRequestQueries.all(api, id))]),
    ]);
  };
}

/** Broadcasts that the person has dismissed: the id, with the time of the dismissed change. */
export type PutAway = Readonly<Record<string, string>>;

const parsePutAway = (value: Readonly<Record<string, unknown>> = {}): PutAway =>
  Object.fromEntries(Object.entries(value).map(([id, at]) => [id, String(at)]));

export function useKeptPortal() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const kept = keptQueries.items<Readonly<Record<string, unknown>>>(account.id, "portal");
  const { data } = useQuery({ ...kept, staleTime: 300_000 });
  const putAway = parsePutAway(data?.find((item) => item.key === "put-away" && item.owner === "me")?.value);
  const look = parseLook(data?.find((item) => item.key === lookKey && item.owner === "account")?.value);
  return {
    isLoaded: data !== undefined,
    look,
    putAway,
    async setPutAway(value: PutAway) {
      const own = { key: "put-away", owner: "me", value, updated_at: "" };
      queries.setQueryData(kept.queryKey, [...(data ?? []).filter((item) => item.key !== "put-away"), own]);
      await keptApi(account.id).put("portal", "put-away", value);
    },
  };
}
