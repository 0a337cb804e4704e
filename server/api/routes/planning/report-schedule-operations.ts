import { reportNames } from "../../../notifications/reports/report-tiles.ts";
import { frequencies } from "../../../notifications/reports/sending-times.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of report-schedule-routes.ts for the OpenAPI document.

const moment: Schema = { type: "string", format: "date-time" };
const named: Schema = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
const report: Schema = {
  type: "string",
  maxLength: 220,
  description: `One of ${reportNames.map((name) => `\`${name}\``).join(", ")}, or \`dashboards/\` and the key of a dashboard that the caller has made or that was shared with them.`,
};
const frequency: Schema = { type: "string", enum: [...frequencies] };
const schedule: Schema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    report,
    title: { type: ["string", "null"], description: "The name that somebody gave to the dashboard." },
    frequency,
    team: { type: ["object", "null"], properties: named.properties },
    person: named,
    recipients: { type: "array", items: named },
    next_at: moment,
    last_sent_at: { ...moment, type: ["string", "null"] },
  },
};
const example = {
  id: 4,
  report: "dashboards/service-desk",
  title: null,
  frequency: "weekly",
  team: null,
  person: { id: 9, name: "Mia Manager" },
  recipients: [{ id: 9, name: "Mia Manager" }],
  next_at: "2026-11-23T06:00:00Z",
  last_sent_at: null,
};

export function reportScheduleOperations(context: OpenApiContext): ApiOperations {
  const scheduleRef = () => context.components.ref("schemas", "ReportSchedule", () => schedule);
  return [
    [
      "GET /report_schedules",
      () => ({
        operationId: "listReportSchedules",
        summary: "List the scheduled reports that the caller made or receives",
        responses: {
          200: buildJsonResponse(context, "The schedules, the newest first.", { type: "array", items: scheduleRef() }, [
            example,
          ]),
        },
      }),
    ],
    [
      "POST /report_schedules",
      () => ({
        operationId: "createReportSchedule",
        summary: "Send a report by e-mail, again and again",
        description:
          "Sent at seven in the morning in the time zone of the caller: every day, on Mondays, or on the first day of a month. Each recipient gets figures of the records that they may read.",
        requestBody: buildJsonBody(
          {
            type: "object",
            required: ["report", "frequency"],
            properties: {
              report,
              frequency,
              team_id: { type: ["integer", "null"], description: "Only what this team has." },
              recipient_ids: {
                type: "array",
                items: { type: "integer" },
                maxItems: 20,
                description: "People with a role in the account; without it, the caller.",
              },
            },
          },
          { report: "dashboards/service-desk", frequency: "weekly" },
        ),
        responses: { 201: buildJsonResponse(context, "The schedule.", scheduleRef(), example) },
      }),
    ],
    [
      "DELETE /report_schedules/:id",
      () => ({
        operationId: "deleteReportSchedule",
        summary: "End a scheduled report",
        description: "Whoever made it ends it for all; a recipient ends it for themselves.",
        responses: { 204: { description: "It is sent no more." } },
      }),
    ],
  ];
}
