import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildCreatedResponse, buildSavedResponse } from "../../openapi/responses.ts";

// Describes the routes of subscription-routes.ts for the OpenAPI document.

export const subscriptionOperations = (context: OpenApiContext): ApiOperations => [
  [
    "POST /broadcasts/:id/subscribe",
    () => {
      const request = context.types.get("request");
      return {
        operationId: "subscribeToBroadcast",
        summary: "Join the request group that a broadcast tells of",
        description:
          "The caller gets a request of their own in the group: 201. Who is part of the group already gets that request: 200.",
        responses: { 200: buildSavedResponse(context, request), 201: buildCreatedResponse(context, request) },
      };
    },
  ],
];
