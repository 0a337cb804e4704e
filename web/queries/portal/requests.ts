import { queryOptions } from "@tanstack/react-query";
import type { PortalRequest as ListedRequest } from "../../../records/answers/portal.ts";
import type { Api } from "../../api/index.ts";
import { changesAndNotesOf, changesOfRecord } from "../change-rules.ts";

// The first page of the portal, and a person's requests and pending approvals.

/** A request; in a list with the people whose approval is pending. */
export type PortalRequest = Omit<ListedRequest, "approvers"> & Partial<Pick<ListedRequest, "approvers">>;

export const portalHomeQueries = {
  home: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "home"],
      queryFn: () => api.call("GET /portal", {}),
      staleTime: 30_000,
      meta: { changedBy: changesAndNotesOf("request", "task") },
    }),
};

export const portalRequestQueries = {
  /** Prefix of the lists of requests. */
  lists: (api: Api) => [api.account, "requests"] as const,
  list: (api: Api, show: string) =>
    queryOptions({
      queryKey: [...portalRequestQueries.lists(api), show],
      queryFn: () => api.call("GET /portal/requests", { show }),
      meta: { changedBy: changesAndNotesOf("request") },
    }),
  /** Prefix of all data of a request. */
  all: (api: Api, id: string | number) => [api.account, "request", String(id)] as const,
  request: (api: Api, id: string) =>
    queryOptions({
      queryKey: [...portalRequestQueries.all(api, id), "record"],
      queryFn: () => api.get<PortalRequest>(`/requests/${encodeURIComponent(id)}`),
      meta: { changedBy: changesOfRecord("request", id) },
    }),
  notes: (api: Api, id: string) =>
    queryOptions({
      queryKey: [...portalRequestQueries.all(api, id), "notes"],
      queryFn: async () => {
        const fields = ["text", "person", "medium", "created_at", "attachments"] as const;
        const at = `/requests/${encodeURIComponent(id)}/notes`;
        const { rows } = await api.list("note", { at, fields, sort: "-id", per_page: "100" });
        return rows.reverse().map((note) => ({ ...note, created_at: note.created_at ?? "" }));
      },
      meta: { changedBy: changesOfRecord("request", id) },
    }),
  progress: (api: Api, id: string) =>
    queryOptions({
      queryKey: [...portalRequestQueries.all(api, id), "progress"],
      queryFn: () => api.call("GET /portal/requests/:id", { id }),
      meta: { changedBy: changesOfRecord("request", id) },
    }),
  watches: (api: Api, id: string) =>
    queryOptions({
      queryKey: [...portalRequestQueries.all(api, id), "watches"],
      queryFn: async () => {
        const at = `/requests/${encodeURIComponent(id)}/watches`;
        return (await api.list("watch", { at, fields: ["person"], per_page: "50" })).rows;
      },
      meta: { changedBy: changesOfRecord("request", id) },
    }),
};

export const portalApprovalQueries = {
  list: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "approvals"],
      queryFn: () => api.call("GET /portal/approvals", {}),
      meta: { changedBy: changesAndNotesOf("task") },
    }),
  one: (api: Api, task: string) =>
    queryOptions({
      queryKey: [api.account, "approvals", task],
      queryFn: () => api.call("GET /portal/approvals/:id", { id: task }),
      meta: { changedBy: changesAndNotesOf("task") },
    }),
};
