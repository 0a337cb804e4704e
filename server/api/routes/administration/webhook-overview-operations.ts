import type { ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import { buildFilter, integer, moment, objectOf, oneOf, text } from "./administration-operations.ts";

// Describes the routes of webhook-overview-routes.ts for the OpenAPI document.

const states = ["waiting", "delivered", "failed", "dropped"];
const boolean: Schema = { type: "boolean" };
const tag = "Webhooks";
const listOf = (items: Schema): Schema => ({ type: "array", items });

const delivery = objectOf({
  id: integer,
  uuid: text,
  kind: oneOf("event", "verify", "test"),
  event: text,
  record_id: orNull(integer),
  state: oneOf(...states),
  reason: orNull(text),
  tries: integer,
  next_try_at: orNull(moment),
  created_at: moment,
  finished_at: orNull(moment),
  webhook_id: integer,
  webhook_name: orNull(text),
  status: orNull(integer),
  error: orNull(text),
  milliseconds: orNull(integer),
});
const exampleDelivery = {
  ...{ id: 88_123, uuid: "7f9c24e5-2f3a-4a53-9d1f-0b2f7f3f8a11", kind: "event", event: "request.create" },
  ...{ record_id: 1203, state: "delivered", reason: null, tries: 1, next_try_at: null },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: "2031-02-03T09:00:00+01:00", webhook_id: 12 },
  ...{ webhook_name: "request.create", status: 200, error: null, milliseconds: 84 },
};
const hour = objectOf({ hour: moment, delivered: integer, failed: integer, waiting: integer });
const statistics = objectOf({
  delivered: integer,
  failed: integer,
  waiting: integer,
  retrying: { ...integer, description: "waiting after a failed attempt" },
  dropped: integer,
  kept: {
    ...objectOf({ failed: integer, waiting: integer }),
    description: "as many as the lists of these states show, of whatever age",
  },
  median: { ...orNull(integer), description: "milliseconds, of the newest 500 deliveries" },
  p95: orNull(integer),
  hours: listOf(hour),
});
const exampleStatistics = {
  ...{ delivered: 1284, failed: 9, waiting: 2, retrying: 2, dropped: 0, median: 86, p95: 240 },
  kept: { failed: 13, waiting: 2 },
  hours: [{ hour: "2031-02-03T09:00:00+01:00", delivered: 31, failed: 1, waiting: 0 }],
};
const sandbox = objectOf({
  key: text,
  uri: text,
  status: { ...integer, description: "what it answers" },
  delay: { ...integer, description: "milliseconds that it waits before it answers" },
  created_at: moment,
  expires_at: moment,
});
const exampleSandbox = {
  ...{ key: "9f2c4b7d1e6a4f08b3c5d7e9f1a2b3c4", status: 200, delay: 0 },
  uri: "https://steward.example/sandbox/9f2c4b7d1e6a4f08b3c5d7e9f1a2b3c4",
  ...{ created_at: "2031-02-03T09:00:00+01:00", expires_at: "2031-02-04T09:00:00+01:00" },
};
const message = objectOf({
  id: integer,
  received_at: moment,
  method: text,
  query: orNull(text),
  headers: { type: "object", additionalProperties: text },
  body: text,
  size: integer,
  answered_status: integer,
  answered_at: orNull(moment),
});
const exampleMessage = {
  ...{ id: 7, received_at: "2031-02-03T09:00:00+01:00", method: "POST", query: "", headers: {} },
  ...{ body: '{"webhook_id":12}', size: 17, answered_status: 200, answered_at: "2031-02-03T09:00:00+01:00" },
};
const rotationMembers = { alg: text, key_id: text, next_key_id: orNull(text), next_from: orNull(moment) };
const rotation = objectOf(rotationMembers);
const exampleRotation = {
  ...{ alg: "es256", key_id: "0f1e2d3c4b5a69788796a5b4c3d2e1f0" },
  ...{ next_key_id: "a1b2c3d4e5f60718293a4b5c6d7e8f90", next_from: "2031-02-04T09:00:00+01:00" },
};

const ofWebhooks = [
  buildFilter("webhook_id", "Of this webhook.", integer),
  buildFilter("receiver", "Of webhooks with an address at this origin."),
];

export function webhookOverviewOperations(context: OpenApiContext): ApiOperations {
  const answer = (description: string, schema: Schema, example: unknown) => ({
    200: buildJsonResponse(context, description, schema, example),
  });
  return [
    [
      "GET /webhook_deliveries",
      () => ({
        ...{ operationId: "listDeliveriesOfAllWebhooks", summary: "List what was sent to all webhooks", tag },
        description: "The newest fifty. Deliveries are kept for 30 days.",
        parameters: [
          ...ofWebhooks,
          buildFilter("state", "Deliveries in this state.", oneOf(...states)),
          buildFilter("event", "Deliveries of this event."),
          buildFilter("record", "Deliveries about the record with this id.", integer),
          buildFilter("before", "Deliveries older than the one with this id.", integer),
        ],
        responses: answer("The deliveries, newest first.", listOf(delivery), [exampleDelivery]),
      }),
    ],
    [
      "GET /webhook_delivery_statistics",
      () => ({
        ...{ operationId: "countWebhookDeliveries", summary: "Count deliveries by hour and outcome", tag },
        description: "At most the newest 20,000 deliveries of each webhook are counted.",
        parameters: [...ofWebhooks, buildFilter("hours", "How far back; 48 if omitted, 720 at most.", integer)],
        responses: answer("The figures.", statistics, exampleStatistics),
      }),
    ],
    [
      "POST /webhook_redeliveries",
      () => ({
        ...{
          operationId: "recoverWebhookDeliveries",
          summary: "Send again everything that failed since a moment",
          tag,
        },
        description: "For all active webhooks, for those of one receiver, or for one. `dry_run` only counts.",
        requestBody: buildJsonBody(
          {
            type: "object",
            required: ["failed_since"],
            properties: { failed_since: moment, receiver: text, webhook_id: integer, dry_run: boolean },
          },
          { failed_since: "2031-02-03T10:00:00+01:00", dry_run: true },
        ),
        responses: answer("How many.", objectOf({ count: integer, redelivered: integer }), {
          count: 9,
          redelivered: 0,
        }),
      }),
    ],
    [
      "GET /webhook_sandboxes",
      () => ({
        ...{ operationId: "listWebhookSandboxes", summary: "List receivers to try webhooks with", tag },
        responses: answer("The sandboxes that have not expired.", listOf(sandbox), [exampleSandbox]),
      }),
    ],
    [
      "POST /webhook_sandboxes",
      () => ({
        ...{ operationId: "createWebhookSandbox", summary: "Create a receiver to try webhooks with", tag },
        description: "An address that keeps the newest 200 messages for 24 hours. An account can have ten at a time.",
        responses: { 201: buildJsonResponse(context, "The sandbox.", sandbox, exampleSandbox) },
      }),
    ],
    [
      "PATCH /webhook_sandboxes/:key",
      () => ({
        ...{ operationId: "updateWebhookSandbox", summary: "Tell a sandbox what to answer", tag },
        requestBody: buildJsonBody(
          {
            type: "object",
            properties: {
              status: { ...integer, minimum: 200, maximum: 599 },
              delay: { ...integer, minimum: 0, maximum: 15_000 },
            },
          },
          { status: 500, delay: 2000 },
        ),
        responses: answer("The sandbox.", sandbox, exampleSandbox),
      }),
    ],
    [
      "DELETE /webhook_sandboxes/:key",
      () => ({
        ...{ operationId: "deleteWebhookSandbox", summary: "Delete a sandbox with what arrived", tag },
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      "GET /webhook_sandboxes/:key/messages",
      () => ({
        ...{ operationId: "listSandboxMessages", summary: "List what arrived at a sandbox", tag },
        parameters: [buildFilter("after", "Messages newer than the one with this id.", integer)],
        responses: answer("The messages, newest first.", listOf(message), [exampleMessage]),
      }),
    ],
    [
      "GET /webhook_policies/:id/rotation",
      () => ({
        ...{ operationId: "getWebhookKeyRotation", summary: "Read which keys of a policy are in use" },
        responses: answer("The ids of the keys.", rotation, exampleRotation),
      }),
    ],
    [
      "POST /webhook_policies/:id/rotation",
      () => ({
        ...{ operationId: "startWebhookKeyRotation", summary: "Create a new key that is used after an overlap" },
        description:
          "The answer has the new key, which is never shown again. Until the overlap ends, messages are signed with the old one, and the published keys contain both.",
        requestBody: buildJsonBody(
          { type: "object", properties: { overlap_hours: { ...integer, minimum: 0, maximum: 720 } } },
          { overlap_hours: 24 },
        ),
        responses: answer(
          "The ids of the keys, and the new key.",
          objectOf({ ...rotationMembers, public_key_pem: orNull(text) }),
          { ...exampleRotation, public_key_pem: "-----BEGIN PUBLIC KEY-----\n…" },
        ),
      }),
    ],
    [
      "PATCH /webhook_policies/:id/rotation",
      () => ({
        ...{ operationId: "finishWebhookKeyRotation", summary: "Use the new key of a policy from now on" },
        responses: answer("The ids of the keys.", rotation, { ...exampleRotation, next_key_id: null, next_from: null }),
      }),
    ],
    [
      "DELETE /webhook_policies/:id/rotation",
      () => ({
        ...{ operationId: "cancelWebhookKeyRotation", summary: "Give up the new key of a policy" },
        responses: answer("The ids of the keys.", rotation, { ...exampleRotation, next_key_id: null, next_from: null }),
      }),
    ],
  ];
}
