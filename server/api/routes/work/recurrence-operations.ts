import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the route of recurrence-routes.ts for the OpenAPI document.

const moment = { type: "string", format: "date-time" };

export function recurrenceOperations(context: OpenApiContext): ApiOperations {
  return [
    [
      "POST /recurrence_occurrences",
      () => ({
        operationId: "listRecurrenceOccurrences",
        summary: "List the next moments of a recurrence",
        description: "Of a recurrence as workflow templates have it. Nothing is saved.",
        requestBody: buildJsonBody(
          {
            type: "object",
            required: ["recurrence"],
            properties: {
              recurrence: { type: "object", description: "The members of the field `recurrence`." },
              from: { ...moment, description: "Only moments after this one; default: now." },
              count: { type: "integer", minimum: 1, maximum: 24, default: 6 },
            },
          },
          {
            recurrence: {
              frequency: "weekly",
              day: "1",
              start_date: "2031-02-03",
              time_of_day: "09:00",
              time_zone: "Amsterdam",
            },
            count: 3,
          },
        ),
        responses: {
          200: buildJsonResponse(
            context,
            "The moments, ascending. `problem` says why there are none where the recurrence is not complete.",
            {
              type: "object",
              properties: {
                occurrences: { type: "array", items: moment },
                problem: { type: ["string", "null"] },
              },
            },
            {
              occurrences: ["2031-02-10T09:00:00+01:00", "2031-02-17T09:00:00+01:00", "2031-02-24T09:00:00+01:00"],
              problem: null,
            },
          ),
        },
      }),
    ],
  ];
}
