import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of satisfaction-routes.ts for the OpenAPI document.

const notTaken: Schema = { description: "Nothing to answer, answered already, or too late. No body." };
const whoAnswers =
  "For the people the request was made by and for, once each, within 28 days of its completion. The first answer counts.";

export function satisfactionOperations(context: OpenApiContext): ApiOperations {
  return [
    [
      "POST /requests/:id/satisfied",
      () => ({
        operationId: "satisfiedWithRequest",
        summary: "Say that one is satisfied with a completed request",
        description: whoAnswers,
        responses: { 204: buildNoContentResponse(context), 304: notTaken },
      }),
    ],
    [
      "POST /requests/:id/dissatisfied",
      () => ({
        operationId: "dissatisfiedWithRequest",
        summary: "Say that one is not satisfied with a completed request, and why",
        description: whoAnswers,
        requestBody: buildJsonBody(
          {
            type: "object",
            required: ["note"],
            properties: {
              note: { type: "string" },
              note_attachments: { type: "array", items: { type: "object" } },
              reopen: { type: "boolean", default: false, description: "the request is assigned again" },
            },
          },
          { note: "The printer still does not print.", reopen: true },
        ),
        responses: { 204: buildNoContentResponse(context), 304: notTaken },
      }),
    ],
  ];
}
