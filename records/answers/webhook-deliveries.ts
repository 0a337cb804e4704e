import {
  answer,
  boolean,
  datetime,
  integer,
  list,
  map,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  string,
  word,
} from "../vocabulary/index.ts";

// How webhooks are doing, and what was sent to them.

const deliveryState = word("waiting", "delivered", "failed", "dropped");

export const webhookState = answer("WebhookState", {
  id: integer(),
  name: string(),
  event: string(),
  uri: noted("the URI, without a password", string()),
  disabled: boolean,
  verified: boolean,
  last_error: orNull(string()),
  failures: noted("number of failed attempts since the last successful one", integer()),
  failing_since: orNull(datetime),
  disabled_reason: orNull(string()),
  verification_expires_at: orNull(datetime),
  created_at: datetime,
  updated_at: datetime,
  waiting: noted("number of messages waiting to be delivered", integer()),
  state: word("active", "unverified", "failing", "disabled"),
});
const exampleState = {
  ...{ id: 12, name: "request.create", event: "request.create", uri: "https://receiver.example/hook" },
  ...{ disabled: false, verified: true, last_error: null, failures: 0, failing_since: null, disabled_reason: null },
  ...{ verification_expires_at: null, created_at: "2031-02-03T09:00:00+01:00" },
  ...{ updated_at: "2031-02-03T09:00:00+01:00", waiting: 0, state: "active" },
};

const deliveryMembers = {
  id: integer(),
  uuid: noted("the `X-4me-Delivery` header of the message", string()),
  kind: word("event", "verify", "test"),
  event: string(),
  record_id: orNull(integer()),
  state: noted("`failed`: the service gave up; `dropped`: no longer needed", deliveryState),
  reason: orNull(string()),
  tries: integer(),
  next_try_at: orNull(datetime),
  created_at: datetime,
  finished_at: orNull(datetime),
};
const lastAttemptMembers = {
  status: noted("status of the last response", orNull(integer())),
  error: noted("the reason the last attempt failed", orNull(string())),
  milliseconds: noted("duration of the last attempt", orNull(integer())),
};
const exampleMembers = {
  ...{ id: 88_123, uuid: "7f9c24e5-2f3a-4a53-9d1f-0b2f7f3f8a11", kind: "event", event: "request.create" },
  ...{ record_id: 1203, state: "waiting", reason: null, tries: 1, next_try_at: "2031-02-03T09:00:10+01:00" },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: null },
};
export const webhookDelivery = answer("WebhookDelivery", { ...deliveryMembers, ...lastAttemptMembers });
export const deliveryAttempt = object({
  number: integer(),
  started_at: datetime,
  milliseconds: integer(),
  status: orNull(integer()),
  error: orNull(string()),
  headers: noted("the headers of the response", orNull(map(string()))),
  body: noted("the beginning of the response body", orNull(string())),
  next_try_at: orNull(datetime),
});
export const webhookDeliveryDetails = answer("WebhookDeliveryDetails", {
  ...deliveryMembers,
  max_tries: noted("number of attempts after which the service gives up", integer()),
  link: noted("the `Link` header of the message", orNull(string())),
  body: noted("the message; verification codes are masked", orNull(string())),
  attempts: noted("newest first", list(deliveryAttempt)),
});
const exampleAttempt = {
  ...{ number: 1, started_at: "2031-02-03T09:00:00+01:00", milliseconds: 41, status: 503 },
  ...{ error: "503 Service Unavailable", headers: { "retry-after": "10" }, body: "come back later" },
  next_try_at: "2031-02-03T09:00:10+01:00",
};
const deliveryFilters = partial({
  state: noted("Only deliveries in this state.", deliveryState),
  event: noted("Only deliveries of this event.", string()),
  record: noted("Only deliveries about the record with this id.", integer()),
});

/** A delivery among those of all webhooks. */
export const accountDelivery = object({
  ...deliveryMembers,
  webhook_id: integer(),
  webhook_name: orNull(string()),
  ...lastAttemptMembers,
});
const exampleDelivery = {
  ...{ ...exampleMembers, state: "delivered", next_try_at: null, finished_at: "2031-02-03T09:00:00+01:00" },
  ...{ webhook_id: 12, webhook_name: "request.create", status: 200, error: null, milliseconds: 84 },
};
export const deliveryStatistics = object({
  delivered: integer(),
  failed: integer(),
  waiting: integer(),
  retrying: noted("number of deliveries waiting after a failed attempt", integer()),
  dropped: integer(),
  kept: noted(
    "the number of deliveries listed in these states, regardless of age",
    object({ failed: integer(), waiting: integer() }),
  ),
  median: noted("in milliseconds, based on the latest 500 deliveries", orNull(integer())),
  p95: orNull(integer()),
  hours: list(object({ hour: datetime, delivered: integer(), failed: integer(), waiting: integer() })),
});
const exampleStatistics = {
  ...{ delivered: 1284, failed: 9, waiting: 2, retrying: 2, dropped: 0, median: 86, p95: 240 },
  kept: { failed: 13, waiting: 2 },
  hours: [{ hour: "2031-02-03T09:00:00+01:00", delivered: 31, failed: 1, waiting: 0 }],
};
const webhookFilters = partial({
  webhook_id: noted("Only deliveries of this webhook.", integer()),
  receiver: noted("Only deliveries of webhooks whose address has this origin.", string()),
});

const tag = "Webhooks";

export const webhookDeliveryOperations = operations({
  "GET /webhook_states": {
    id: "listWebhookStates",
    summary: "List delivery statistics of all webhooks",
    tag,
    answer: list(webhookState),
    answers: "A list of webhook states, newest webhook first.",
    example: [exampleState],
  },
  "GET /webhooks/:id/state": {
    id: "getWebhookState",
    summary: "Retrieve delivery statistics of a webhook",
    answer: webhookState,
    answers: "The state of the webhook.",
    example: exampleState,
  },
  "POST /webhooks/:id/verification": {
    id: "resendWebhookVerification",
    summary: "Resend the verification message of a webhook",
    description: "Sends a new code and invalidates the previous one. Possible only until the last code expires.",
    answer: null,
  },
  "GET /webhooks/:id/deliveries": {
    id: "listWebhookDeliveries",
    summary: "List the deliveries of a webhook",
    description: "Deliveries are kept for 30 days.",
    query: deliveryFilters,
    hasFields: true,
    isPaged: true,
    answer: list(webhookDelivery),
    answers: "A list of deliveries with the outcome of their last attempt, newest first.",
    example: [{ ...exampleMembers, status: 503, error: "503 Service Unavailable", milliseconds: 41 }],
  },
  "GET /webhooks/:id/deliveries/:delivery": {
    id: "getWebhookDelivery",
    summary: "Retrieve a delivery with its message and attempts",
    answer: webhookDeliveryDetails,
    answers: "The delivery.",
    example: {
      ...{ ...exampleMembers, max_tries: 14, link: null, body: '{"webhook_id":12}' },
      attempts: [exampleAttempt],
    },
  },
  "POST /webhooks/:id/redeliveries": {
    id: "redeliverToWebhook",
    summary: "Redeliver webhook deliveries",
    description:
      "Redelivers the given deliveries and all deliveries that failed since the given time. Waiting messages and verifications aren't affected.",
    body: object(partial({ ids: list(integer(), 1000), failed_since: datetime })),
    bodyExample: { ids: [88_123] },
    answer: object({ redelivered: integer() }),
    answers: "The number of messages to redeliver.",
    example: { redelivered: 1 },
  },
});

export const accountDeliveryOperations = operations({
  "GET /webhook_deliveries": {
    id: "listDeliveriesOfAllWebhooks",
    summary: "List the deliveries of all webhooks",
    tag,
    description: "Returns the latest 50 deliveries. Deliveries are kept for 30 days.",
    query: {
      ...webhookFilters,
      ...deliveryFilters,
      before: noted("Only deliveries older than the delivery with this id.", optional(integer())),
    },
    answer: list(accountDelivery),
    answers: "A list of deliveries, newest first.",
    example: [exampleDelivery],
  },
  "GET /webhook_delivery_statistics": {
    id: "countWebhookDeliveries",
    summary: "Count webhook deliveries per hour and outcome",
    tag,
    description: "Counts at most the latest 20,000 deliveries of each webhook.",
    query: {
      ...webhookFilters,
      hours: noted("Number of hours to look back, at most 720; default: 48.", optional(integer())),
    },
    answer: deliveryStatistics,
    answers: "The delivery statistics.",
    example: exampleStatistics,
  },
  "POST /webhook_redeliveries": {
    id: "recoverWebhookDeliveries",
    summary: "Redeliver failed deliveries since a time",
    tag,
    description:
      "Applies to all active webhooks, to those of one receiver, or to a single webhook. With `dry_run`, deliveries are only counted.",
    body: object({
      failed_since: datetime,
      ...partial({ receiver: string(), webhook_id: integer(), dry_run: boolean }),
    }),
    bodyExample: { failed_since: "2031-02-03T10:00:00+01:00", dry_run: true },
    answer: object({ count: integer(), redelivered: integer() }),
    answers: "The number of deliveries.",
    example: { count: 9, redelivered: 0 },
  },
});
