import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildRecordResponse } from "../../openapi/responses.ts";

// Describes the routes of note-routes.ts for the OpenAPI document.

export const noteOperations = (context: OpenApiContext): ApiOperations => [
  [
    "POST /notes/:id/redact",
    () => ({
      operationId: "redactNote",
      summary: "Take away what a note says",
      description: "For administrators. The note stays with its author and date, without its text and its files.",
      responses: { 200: buildRecordResponse(context, context.types.get("note")) },
    }),
  ],
];
