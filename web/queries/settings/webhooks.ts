import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import type { BodyOf } from "../../api/operations.ts";
import type { AccountDelivery } from "../../api/webhooks.ts";
import { changesOfRecord, changesOfTypes } from "../change-rules.ts";
import { pagesBefore } from "./pages.ts";

const deliveriesOnPage = 50;
const pollMilliseconds = 5000;
export const statisticsHours = 48;

export type DeliveryScope = { webhook_id?: string | undefined; receiver?: string | undefined };
export type DeliveryFilter = DeliveryScope & {
  state?: string | undefined;
  event?: string;
  record?: string | undefined;
};

/** The server delivers in the background, so most of these pages poll every few seconds. */
export const webhookQueries = {
  /** prefix of all keys of the subject */
  all: (api: Api) => [api.account, "webhooks"] as const,
  list: (api: Api) =>
    queryOptions({
      queryKey: webhookQueries.all(api),
      queryFn: () => api.call("GET /webhook_states", {}),
      meta: { changedBy: changesOfTypes("webhook") },
    }),
  one: (api: Api, id: number) =>
    queryOptions({
      queryKey: [...webhookQueries.all(api), id],
      queryFn: () => api.call("GET /webhooks/:id/state", { id }),
      refetchInterval: pollMilliseconds,
      meta: { changedBy: changesOfRecord("webhook", id) },
    }),
  deliveries: (api: Api, filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: [...webhookQueries.all(api), "deliveries", filter],
      queryFn: ({ pageParam }) =>
        api.get<AccountDelivery[]>("/webhook_deliveries", {
          ...filter,
          ...(pageParam === "" ? {} : { before: pageParam }),
        }),
      ...pagesBefore(deliveriesOnPage),
      refetchInterval: pollMilliseconds,
    }),
  delivery: (api: Api, webhook: number, delivery: number) =>
    queryOptions({
      queryKey: [...webhookQueries.all(api), webhook, "delivery", delivery],
      queryFn: () => api.call("GET /webhooks/:id/deliveries/:delivery", { id: webhook, delivery }),
      refetchInterval: pollMilliseconds,
    }),
  statistics: (api: Api, scope: DeliveryScope) =>
    queryOptions({
      queryKey: [...webhookQueries.all(api), "statistics", scope],
      queryFn: () => api.call("GET /webhook_delivery_statistics", { ...scope, hours: statisticsHours }),
      refetchInterval: 10_000,
    }),
  /** The number of messages that would be redelivered. */
  recoverable: (api: Api, wanted: BodyOf<"POST /webhook_redeliveries">) =>
    queryOptions({
      queryKey: [...webhookQueries.all(api), "recoverable", wanted],
      queryFn: () => api.call("POST /webhook_redeliveries", {}, { ...wanted, dry_run: true }),
    }),
  keyRotation: (api: Api, policy: number) =>
    queryOptions({
      queryKey: [api.account, "rotation", policy],
      queryFn: () => api.call("GET /webhook_policies/:id/rotation", { id: policy }),
    }),
  sandboxes: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "sandboxes"],
      queryFn: () => api.call("GET /webhook_sandboxes", {}),
    }),
  sandboxMessages: (api: Api, key: string) =>
    queryOptions({
      queryKey: [api.account, "sandbox messages", key],
      queryFn: () => api.call("GET /webhook_sandboxes/:key/messages", { key }),
      refetchInterval: 1000,
    }),
};
