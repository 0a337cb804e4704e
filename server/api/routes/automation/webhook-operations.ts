import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of webhook-routes.ts for the OpenAPI document.

export const webhookOperations = (context: OpenApiContext): ApiOperations => [
  [
    "POST /webhooks/:id/test",
    () => ({
      operationId: "testWebhook",
      summary: "Send a test message to a webhook",
      description:
        "The address of the webhook receives a message of its event whose object_id is 12345 and whose payload is empty. Works for disabled and unverified webhooks too.",
      responses: { 204: buildNoContentResponse(context) },
    }),
  ],
];
