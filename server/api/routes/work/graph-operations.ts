import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of graph-routes.ts for the OpenAPI document.

const moment: Schema = { type: "string", format: "date-time" };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const named: Schema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: { type: "integer" }, name: { type: "string" } },
};
const minutes: Schema = { type: ["integer", "null"], minimum: 0 };

const task: Schema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    subject: { type: "string" },
    category: { type: "string" },
    status: { type: "string" },
    impact: { type: ["string", "null"], description: "Null for tasks of projects." },
    team: orNull(named),
    assignees: { type: "array", items: named, description: "The member of a task, the assignees of a project task." },
    phase: { type: ["integer", "null"] },
    failure_task: { type: ["integer", "null"] },
    planned_duration: minutes,
    planned_effort: minutes,
    start_at: orNull(moment),
    approvals: orNull({
      type: "object",
      description: "Approval tasks only.",
      properties: { given: { type: "integer" }, needed: { type: "integer" } },
    }),
    approval_asked: {
      type: "boolean",
      description: "The caller is asked to approve it, for themselves or for somebody absent.",
    },
    starts_at: { ...orNull(moment), description: "When it began or will begin; null: not known yet." },
    ends_at: { ...orNull(moment), description: "When it ended or will end." },
    conditional: { type: "boolean", description: "Only a failure leads to it, and there has been none." },
  },
};

const graph: Schema = {
  type: "object",
  properties: {
    tasks: { type: "array", items: task, description: "The tasks that the caller may read." },
    edges: {
      type: "array",
      items: {
        type: "object",
        properties: {
          from: { type: "integer" },
          to: { type: "integer" },
          kind: { type: "string", enum: ["next", "failure"] },
        },
      },
    },
    critical: {
      type: "array",
      items: { type: "integer" },
      description: "The tasks that decide the end, in their order.",
    },
    slack: {
      type: "object",
      additionalProperties: { type: "integer" },
      description: "Minutes by which an open task may end later without moving the end, by its id.",
    },
    phases: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "integer" },
          name: { type: "string" },
          status: { type: "string" },
          position: { type: ["integer", "null"] },
        },
      },
    },
    ends_at: { ...orNull(moment), description: "When the last task ends." },
    maintenance_windows: {
      type: "array",
      description:
        "When the service instances that the tasks have an impact on may be worked on, in the order of time. Empty for projects.",
      items: {
        type: "object",
        properties: {
          name: { type: "string", description: "Of the calendar." },
          starts_at: moment,
          ends_at: moment,
          tasks: { type: "array", items: { type: "integer" }, description: "The tasks that it is for." },
        },
      },
    },
    move: {
      ...orNull({
        type: "object",
        properties: { task: { type: "integer" }, start_at: moment, planned_duration: minutes },
      }),
      description: "With `move`: what would have to be saved. `planned_duration` is null where it stays.",
    },
  },
};

const parameters = [
  {
    name: "move",
    in: "query",
    description: "The id of a task: answers the dates of all tasks as they would be if this one were moved.",
    schema: { type: "integer" },
  },
  { name: "start_at", in: "query", description: "Where `move` would begin.", schema: moment },
  {
    name: "end_at",
    in: "query",
    description: "Where `move` would end; its planned duration follows from the work hours.",
    schema: moment,
  },
];

export function graphOperations(context: OpenApiContext): ApiOperations {
  return (["workflow", "project"] as const).map((container) => [
    `GET /${container}s/:id/graph`,
    () => ({
      operationId: container === "workflow" ? "getGraphOfWorkflow" : "getGraphOfProject",
      summary: `Read the tasks of a ${container} as a graph with dates`,
      description:
        "Which task follows which, when each of them runs, and which decide the end. Nothing is saved, also not with `move`.",
      parameters,
      responses: {
        200: buildJsonResponse(
          context,
          "Tasks, edges and dates.",
          context.components.ref("schemas", "TaskGraph", () => graph),
          undefined,
          ["ETag"],
        ),
      },
    }),
  ]);
}
