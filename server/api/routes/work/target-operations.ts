import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of target-routes.ts for the OpenAPI document.

const moment: Schema = { type: "string", format: "date-time" };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const named: Schema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: { type: "integer" }, name: { type: "string" } },
};
const minutes: Schema = { type: "integer", minimum: 0 };

const target: Schema = {
  type: "object",
  description: "Minutes are those of the hours of the clock.",
  properties: {
    target_at: orNull(moment),
    maximum: { ...orNull(minutes), description: "Minutes that the offering promises." },
    maximum_in_days: { ...orNull(minutes), description: "Business days that it promises, where it names no minutes." },
    allowed: { ...orNull(minutes), description: "The promise in minutes: business days are the minutes in them." },
    used: { ...minutes, description: "Minutes that have passed on the clock." },
    actual_at: orNull(moment),
    met: { type: ["boolean", "null"], description: "Null as long as it is open, and where there is no target." },
  },
};

const explanation: Schema = {
  type: "object",
  properties: {
    sla: named,
    service_instance: named,
    accountability: { type: "string", description: "A value of enumeration `affected_sla.accountability`." },
    decides: { type: "boolean", description: "Its target is the `next_target_at` of the request." },
    because: {
      type: "object",
      properties: {
        coverage: {
          type: "string",
          description:
            "A value of enumeration `sla.coverage`; `everybody` for an incident of high or top impact, `supplier` where the service of the SLA depends on that of the request.",
        },
        via: {
          ...orNull({
            type: "object",
            properties: { type: { type: "string" }, id: { type: ["integer", "string"] }, name: { type: "string" } },
          }),
          description: "The record by which the person is covered, such as their site.",
        },
        person: orNull(named),
      },
    },
    offering: orNull(named),
    kind: {
      type: ["string", "null"],
      description:
        "Which targets of the offering count: an impact, `rfc`, `rfi`, `case`, or `standard_service_request` for those of a template.",
    },
    hours: { ...orNull(named), description: "The calendar of the clock; null: day and night." },
    time_zone: { type: "string" },
    started_at: moment,
    changes: {
      type: "array",
      description: "Changes of the request that chose other targets.",
      items: {
        type: "object",
        properties: { at: moment, field: { type: "string" }, from: {}, to: {} },
      },
    },
    stopped: {
      type: "array",
      items: {
        type: "object",
        properties: {
          from: moment,
          to: { ...orNull(moment), description: "Null while the clock is stopped." },
          minutes,
          reason: {
            type: "string",
            enum: ["waiting_for_customer", "provider_not_accountable", "completed", "sla_not_affected"],
          },
        },
      },
    },
    response: target,
    resolution: target,
    next_target_at: { type: ["string", "null"], description: "A datetime, `best_effort` or `clock_stopped`." },
    steps: {
      type: "array",
      items: { type: "string" },
      description: "The same in sentences, in the language of the caller.",
    },
  },
};

const buildResponse = (context: OpenApiContext, headers: readonly string[]): Schema =>
  buildJsonResponse(
    context,
    "One entry per affected SLA that the caller may read; the one whose target the request shows comes first.",
    {
      type: "array",
      items: context.components.ref("schemas", "ExplainedTargets", () => explanation),
    },
    undefined,
    headers,
  );

export function targetOperations(context: OpenApiContext): ApiOperations {
  return [
    [
      "GET /requests/:id/targets",
      () => ({
        operationId: "getTargetsOfRequest",
        summary: "Explain the targets of a request",
        description:
          "Per affected SLA: whom it covers, what its offering promises, which hours count and when the clock stood still.",
        responses: { 200: buildResponse(context, ["ETag"]) },
      }),
    ],
    [
      "POST /sla_simulations",
      () => ({
        operationId: "simulateSla",
        summary: "Find out which targets a request would get",
        description:
          "Registers such a request at a moment, changes it at later moments, explains its targets as of the last of them, and keeps nothing. For everyone who may read affected SLAs.",
        requestBody: buildJsonBody(
          {
            type: "object",
            required: ["category"],
            properties: {
              requested_for_id: { type: "integer" },
              service_instance_id: { type: "integer" },
              category: { type: "string", description: "A value of enumeration `request.category`." },
              impact: { type: "string", description: "A value of enumeration `request.impact`." },
              template_id: { type: "integer" },
              at: { ...moment, description: "When it is registered; default: now." },
              events: {
                type: "array",
                maxItems: 100,
                description: "What changes afterwards, in ascending order.",
                items: {
                  type: "object",
                  required: ["at"],
                  properties: { at: moment, status: { type: "string" }, impact: { type: "string" } },
                },
              },
            },
          },
          {
            requested_for_id: 5,
            service_instance_id: 7,
            category: "incident",
            impact: "high",
            at: "2031-02-03T08:00:00+01:00",
            events: [{ at: "2031-02-03T09:30:00+01:00", status: "waiting_for_customer" }],
          },
        ),
        responses: { 200: buildResponse(context, []) },
      }),
    ],
  ];
}
