import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of automation-routes.ts for the OpenAPI document.

const tag = "Automation rules";
const text: Schema = { type: "string" };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const value: Schema = { type: "object", properties: { name: text, value: text } };
const outcome: Schema = { type: "string", enum: ["done", "not met", "failed", "dropped"] };
const common: Record<string, Schema> = {
  outcome,
  expressions: {
    type: "array",
    items: value,
    description: "Every expression that was evaluated, with its value as text.",
  },
  condition: orNull(text),
  actions: { type: "array", items: text, description: "What was done, in words." },
};
const run: Schema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    rule_id: { type: "integer" },
    rule_name: text,
    record_type: text,
    record_id: { type: "integer" },
    trigger: text,
    chain_id: { ...text, description: "Runs that descend from one save have the same." },
    started_at: { type: "string", format: "date-time" },
    milliseconds: { type: "integer" },
    person: orNull({ type: "object", properties: { id: { type: "integer" }, name: text } }),
    ...common,
    error_kind: orNull(text),
    error: orNull(text),
  },
};
const before = {
  name: "before",
  in: "query",
  description: "Runs older than the one with this id.",
  schema: { type: "integer" },
};
const ruleMembers: Record<string, Schema> = {
  name: text,
  trigger: text,
  condition: text,
  expressions: text,
  actions: text,
  generic: text,
};
const example = { generic: "request", expressions: "done: status = completed", condition: "done" };
const body = (more: Record<string, Schema>, given: object) => ({
  description: "The rule as it would be saved: its texts, and `generic` or one of the link fields.",
  content: {
    "application/json": { schema: { type: "object", properties: { ...ruleMembers, ...more } }, example: given },
  },
});

export function automationOperations(context: OpenApiContext): ApiOperations {
  const runs = {
    200: buildJsonResponse(context, "The newest hundred runs, newest first.", { type: "array", items: run }, []),
  };
  return [
    [
      "GET /automation_rules/:id/runs",
      () => ({
        ...{ operationId: "listRunsOfAutomationRule", summary: "Read what an automation rule did", tag },
        description: "Runs are kept for 30 days. For those who may change automation rules.",
        parameters: [before],
        responses: runs,
      }),
    ],
    [
      "GET /automation_rule_runs",
      () => ({
        ...{ operationId: "listRunsOfAutomationRules", summary: "Read what all automation rules did", tag },
        description: "Runs are kept for 30 days. For those who may change automation rules.",
        parameters: [before],
        responses: runs,
      }),
    ],
    [
      "POST /automation_rule_check",
      () => ({
        ...{ operationId: "checkAutomationRule", summary: "Find the first mistake in the texts of a rule", tag },
        requestBody: body({}, example),
        responses: {
          200: buildJsonResponse(
            context,
            "The mistake and its place, or null.",
            {
              type: "object",
              properties: {
                problem: orNull({
                  type: "object",
                  properties: { field: text, line: { type: "integer" }, column: { type: "integer" }, message: text },
                }),
              },
            },
            { problem: null },
          ),
        },
      }),
    ],
    [
      "POST /automation_rule_dry_run",
      () => ({
        ...{ operationId: "tryAutomationRule", summary: "See what a rule would do for a record", tag },
        description: "The rule is run for the record and everything it did is undone.",
        requestBody: body({ record_id: { type: "integer" } }, { ...example, record_id: 7 }),
        responses: {
          200: buildJsonResponse(
            context,
            "What would happen.",
            {
              type: "object",
              properties: { ...common, error: orNull({ type: "object", properties: { kind: text, message: text } }) },
            },
            {
              outcome: "not met",
              expressions: [{ name: "done", value: "false" }],
              condition: "false",
              actions: [],
              error: null,
            },
          ),
        },
      }),
    ],
  ];
}
