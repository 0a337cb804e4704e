import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of calendar-routes.ts for the OpenAPI document.

const moment: Schema = { type: "string", format: "date-time" };
const members: Record<string, [Schema, string]> = {
  start: [moment, "Where counting begins."],
  end: [moment, "Where counting ends; nothing is counted when it is not later than the start."],
  time_zone: [
    { type: "string", default: "UTC" },
    "The zone in which hours and holidays are read: a name of enumeration `time_zone`, or an IANA zone.",
  ],
};
const example = { start: "2031-02-03T08:00:00+01:00", end: "2031-02-05T12:00:00+01:00", time_zone: "Amsterdam" };

export function calendarOperations(context: OpenApiContext): ApiOperations {
  return [
    [
      "GET /calendars/:id/duration",
      () => ({
        operationId: "getDurationOfCalendar",
        summary: "Count the minutes between two moments in which a calendar is active",
        description:
          "Holidays of the calendar are left out. `start` and `end` are needed; all three can stand in the query or in a JSON body, which wins.",
        // Not marked as required: a body can contain them instead.
        parameters: Object.entries(members).map(([name, [schema, description]]) => ({
          name,
          in: "query",
          description,
          schema,
        })),
        requestBody: {
          description: "The same members, unless the query names them.",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: Object.fromEntries(
                  Object.entries(members).map(([name, [schema, description]]) => [name, { ...schema, description }]),
                ),
              },
              example,
            },
          },
        },
        responses: {
          200: buildJsonResponse(context, "Whole minutes: a bare number.", { type: "integer", minimum: 0 }, 1560),
        },
      }),
    ],
  ];
}
