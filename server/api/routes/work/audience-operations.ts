import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of audience-routes.ts for the OpenAPI document.

const audience: Schema = {
  type: "object",
  properties: {
    count: {
      type: "integer",
      minimum: 0,
      description: "People who see the broadcast while it is shown, or whom the SLA covers.",
    },
    online: { type: "integer", minimum: 0, description: "Those of them who were seen in the last five minutes." },
    seen: { type: "integer", minimum: 0, description: "People to whom the banner of a saved broadcast was shown." },
    sample: {
      type: "array",
      description: "The first of them by name that the caller may read.",
      items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
    },
  },
};

const buildResponse = (context: OpenApiContext, headers: readonly string[]): Schema =>
  buildJsonResponse(
    context,
    "The size of the audience, and some of it.",
    context.components.ref("schemas", "Audience", () => audience),
    { count: 611, online: 48, sample: [{ id: 5, name: "Rita Requester" }] },
    headers,
  );

export function audienceOperations(context: OpenApiContext): ApiOperations {
  const ids: Schema = { type: "array", items: { type: "integer" }, maxItems: 1000 };
  return [
    [
      "GET /broadcasts/:id/audience",
      () => ({
        operationId: "getAudienceOfBroadcast",
        summary: "Find out whom a broadcast reaches",
        description: "By the rule that shows it to people. For those who may write broadcasts.",
        responses: { 200: buildResponse(context, ["ETag"]) },
      }),
    ],
    [
      "POST /broadcasts/audience",
      () => ({
        operationId: "previewAudienceOfBroadcast",
        summary: "Find out whom a broadcast would reach",
        description: "The same for a broadcast that is not saved; nothing is kept.",
        requestBody: buildJsonBody(
          {
            type: "object",
            properties: {
              visibility: { type: "string", description: "A value of enumeration `broadcast.visibility`." },
              customer_ids: ids,
              organization_ids: ids,
              service_instance_ids: ids,
              site_ids: ids,
              skill_pool_ids: ids,
              team_ids: ids,
            },
          },
          { visibility: "sites", site_ids: [1] },
        ),
        responses: { 200: buildResponse(context, []) },
      }),
    ],
    [
      "GET /slas/:id/audience",
      () => ({
        operationId: "getAudienceOfSla",
        summary: "Find out whom an SLA covers",
        description:
          "People whom its coverage includes, whether it is in force or not. For those who may change the SLA.",
        responses: { 200: buildResponse(context, ["ETag"]) },
      }),
    ],
    [
      "GET /services/:id/uncovered_people",
      () => ({
        operationId: "getUncoveredPeopleOfService",
        summary: "Find out whom no SLA of a service covers",
        description:
          "People for whom an instance of the service was asked for in the last 90 days, though no SLA in force covers them. For those who may write SLAs.",
        responses: { 200: buildResponse(context, ["ETag"]) },
      }),
    ],
    [
      "POST /slas/audience",
      () => ({
        operationId: "previewAudienceOfSla",
        summary: "Find out whom an SLA would cover",
        description: "The same for an SLA that is not saved; nothing is kept.",
        requestBody: buildJsonBody(
          {
            type: "object",
            properties: {
              coverage: { type: "string", description: "A value of enumeration `sla.coverage`." },
              customer_account_id: { type: "string" },
              service_instance_id: { type: "integer" },
              organization_ids: ids,
              site_ids: ids,
              person_ids: ids,
              skill_pool_ids: ids,
              service_instance_ids: ids,
            },
          },
          { coverage: "sites", site_ids: [1] },
        ),
        responses: { 200: buildResponse(context, []) },
      }),
    ],
  ];
}
