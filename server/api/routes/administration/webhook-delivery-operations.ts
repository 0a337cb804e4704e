import type { ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter, buildPagingParameters } from "../../openapi/list-parameters.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import {
  buildEntriesResponse,
  buildFilter,
  integer,
  moment,
  objectOf,
  oneOf,
  text,
} from "./administration-operations.ts";

// Describes the routes of webhook-delivery-routes.ts for the OpenAPI document.

const boolean: Schema = { type: "boolean" };
const states = ["waiting", "delivered", "failed", "dropped"];

const state = objectOf({
  id: integer,
  name: text,
  event: text,
  uri: { ...text, description: "without a password" },
  disabled: boolean,
  verified: boolean,
  last_error: orNull(text),
  failures: { ...integer, description: "failed attempts since the last successful one" },
  failing_since: orNull(moment),
  disabled_reason: orNull(text),
  verification_expires_at: orNull(moment),
  created_at: moment,
  updated_at: moment,
  waiting: { ...integer, description: "messages that wait to be delivered" },
  state: oneOf("active", "unverified", "failing", "disabled"),
});
const exampleState = {
  ...{ id: 12, name: "request.create", event: "request.create", uri: "https://receiver.example/hook" },
  ...{ disabled: false, verified: true, last_error: null, failures: 0, failing_since: null, disabled_reason: null },
  ...{
    verification_expires_at: null,
    created_at: "2031-02-03T09:00:00+01:00",
    updated_at: "2031-02-03T09:00:00+01:00",
  },
  ...{ waiting: 0, state: "active" },
};

const commonMembers = {
  id: integer,
  uuid: { ...text, description: "`X-4me-Delivery` of the message" },
  kind: oneOf("event", "verify", "test"),
  event: text,
  record_id: orNull(integer),
  state: { ...oneOf(...states), description: "`failed`: given up; `dropped`: was not wanted any more" },
  reason: orNull(text),
  tries: integer,
  next_try_at: orNull(moment),
  created_at: moment,
  finished_at: orNull(moment),
} satisfies Record<string, Schema>;
const exampleMembers = {
  ...{ id: 88_123, uuid: "7f9c24e5-2f3a-4a53-9d1f-0b2f7f3f8a11", kind: "event", event: "request.create" },
  ...{ record_id: 1203, state: "waiting", reason: null, tries: 1, next_try_at: "2031-02-03T09:00:10+01:00" },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: null },
};
export const deliveryEntry = objectOf({
  ...commonMembers,
  status: { ...orNull(integer), description: "status of the last answer" },
  error: { ...orNull(text), description: "why the last attempt failed" },
  milliseconds: { ...orNull(integer), description: "duration of the last attempt" },
});
const exampleDelivery = { ...exampleMembers, status: 503, error: "503 Service Unavailable", milliseconds: 41 };
const attempt = objectOf({
  number: integer,
  started_at: moment,
  milliseconds: integer,
  status: orNull(integer),
  error: orNull(text),
  headers: { ...orNull({ type: "object", additionalProperties: text }), description: "of the answer" },
  body: { ...orNull(text), description: "the beginning of the answer" },
  next_try_at: orNull(moment),
});
const details = objectOf({
  ...commonMembers,
  max_tries: { ...integer, description: "tries after which it is given up" },
  link: { ...orNull(text), description: "the header `Link` of the message" },
  body: { ...orNull(text), description: "the message; the code of a verification is masked" },
  attempts: { type: "array", items: attempt, description: "newest first" },
});
const exampleAttempt = {
  ...{ number: 1, started_at: "2031-02-03T09:00:00+01:00", milliseconds: 41, status: 503 },
  ...{ error: "503 Service Unavailable", headers: { "retry-after": "10" }, body: "come back later" },
  next_try_at: "2031-02-03T09:00:10+01:00",
};
const exampleDetails = {
  ...{ ...exampleMembers, max_tries: 14, link: null, body: '{"webhook_id":12}' },
  attempts: [exampleAttempt],
};

export function webhookDeliveryOperations(context: OpenApiContext): ApiOperations {
  const stateSchema = (): Ref => context.components.ref("schemas", "WebhookState", () => state);
  return [
    [
      "GET /webhook_states",
      () => ({
        operationId: "listWebhookStates",
        summary: "List how all webhooks are doing",
        tag: "Webhooks",
        responses: {
          200: buildJsonResponse(
            context,
            "Their states, newest webhook first.",
            { type: "array", items: stateSchema() },
            [exampleState],
          ),
        },
      }),
    ],
    [
      "GET /webhooks/:id/state",
      () => ({
        operationId: "getWebhookState",
        summary: "Read how a webhook is doing",
        responses: { 200: buildJsonResponse(context, "Its state.", stateSchema(), exampleState) },
      }),
    ],
    [
      "POST /webhooks/:id/verification",
      () => ({
        operationId: "resendWebhookVerification",
        summary: "Send the verification code of a webhook again",
        description: "A new code; the one before is no longer valid. Only while the last code has not expired.",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      "GET /webhooks/:id/deliveries",
      () => ({
        operationId: "listWebhookDeliveries",
        summary: "List what was sent to a webhook",
        description: "Deliveries are kept for 30 days.",
        parameters: [
          buildFilter("state", "Deliveries in this state.", oneOf(...states)),
          buildFilter("event", "Deliveries of this event."),
          buildFilter("record", "Deliveries about the record with this id.", integer),
          buildEntryFieldsParameter(deliveryEntry),
          ...buildPagingParameters(context),
        ],
        responses: {
          200: buildEntriesResponse(
            context,
            "The deliveries, each with the outcome of its last attempt.",
            "WebhookDelivery",
            deliveryEntry,
            exampleDelivery,
          ),
        },
      }),
    ],
    [
      "GET /webhooks/:id/deliveries/:delivery",
      () => ({
        operationId: "getWebhookDelivery",
        summary: "Read a delivery with its message and all attempts",
        responses: {
          200: buildJsonResponse(
            context,
            "The delivery.",
            context.components.ref("schemas", "WebhookDeliveryDetails", () => details),
            exampleDetails,
          ),
        },
      }),
    ],
    [
      "POST /webhooks/:id/redeliveries",
      () => ({
        operationId: "redeliverToWebhook",
        summary: "Send messages to a webhook again, byte by byte",
        description:
          "Those of the given deliveries, and all that failed since a moment. Messages that still wait, and verifications, are left alone.",
        requestBody: buildJsonBody(
          {
            type: "object",
            properties: {
              ids: { type: "array", items: integer, maxItems: 1000 },
              failed_since: moment,
            },
          },
          { ids: [88_123] },
        ),
        responses: {
          200: buildJsonResponse(
            context,
            "How many messages are sent again.",
            objectOf({ redelivered: integer }),
            { redelivered: 1 },
            [],
          ),
        },
      }),
    ],
  ];
}
