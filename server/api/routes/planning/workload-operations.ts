import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of workload-routes.ts for the OpenAPI document.

const minutes = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const workload: Schema = {
  type: "object",
  properties: {
    weeks: { type: "array", items: { type: "string", format: "date" }, description: "Mondays." },
    people: {
      type: "array",
      items: {
        type: "object",
        properties: {
          person: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
          weeks: {
            type: "array",
            items: {
              type: "object",
              properties: {
                planned: minutes("Of the project or team."),
                other: minutes("Of everything else."),
                available: minutes("Workdays of the week, less absences."),
              },
            },
          },
        },
      },
    },
    time_spent: { type: ["integer", "null"], description: "Minutes registered on tasks of the project." },
    money_spent: {
      type: ["array", "null"],
      description:
        "What a project has cost, by currency; null for teams and for those who may not read the costs of time entries and invoices.",
      items: {
        type: "object",
        properties: {
          currency: { type: "string" },
          effort: { type: "number", description: "Time entries on tasks of the project, at the rates of people." },
          purchases: { type: "number", description: "Invoices of the project." },
        },
      },
    },
  },
};

const parameters: readonly Schema[] = [
  {
    name: "from",
    in: "query",
    description: "A day of the first week; default: today.",
    schema: { type: "string", format: "date" },
  },
  {
    name: "until",
    in: "query",
    description: "A day of the last week, at most 60 weeks later.",
    schema: { type: "string", format: "date" },
  },
  { name: "every", in: "query", schema: { type: "string", enum: ["week"], default: "week" } },
];

export const workloadOperations = (context: OpenApiContext): ApiOperations =>
  (["project", "team"] as const).map((name) => [
    `GET /${name}s/:id/workload`,
    () => ({
      operationId: `getWorkloadOf${name === "project" ? "Project" : "Team"}`,
      summary: `Read how much work is planned for the people of a ${name}, week by week`,
      description:
        "The planned effort of tasks is spread over the weekdays between their begin and their target. For those who may read all tasks.",
      parameters,
      responses: {
        200: buildJsonResponse(
          context,
          "Minutes per person and week.",
          context.components.ref("schemas", "Workload", () => workload),
          undefined,
        ),
      },
    }),
  ]);
