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
const filters = [
  {
    ...{ name: "before", in: "query", schema: { type: "integer" } },
    description: "Runs older than the one with this id.",
  },
  { ...{ name: "outcome", in: "query", schema: outcome }, description: "Runs that ended so." },
  { ...{ name: "record_type", in: "query", schema: text }, description: "With `record_id`: runs for one record." },
  { ...{ name: "record_id", in: "query", schema: { type: "integer" } }, description: "The id of the record." },
];
const ofRule = {
  ...{ name: "rule_id", in: "query", schema: { type: "integer" } },
  description: "Runs of the rule with this id.",
};
const change: Schema = {
  type: "object",
  properties: {
    record_type: text,
    record_id: { type: "integer" },
    name: text,
    action: { type: "string", enum: ["create", "update", "destroy"] },
    fields: { type: "array", items: { type: "object", properties: { field: text, before: text, after: text } } },
  },
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
        parameters: filters,
        responses: runs,
      }),
    ],
    [
      "GET /automation_rule_runs",
      () => ({
        ...{ operationId: "listRunsOfAutomationRules", summary: "Read what all automation rules did", tag },
        description: "Runs are kept for 30 days. For those who may change automation rules.",
        parameters: [...filters, ofRule],
        responses: runs,
      }),
    ],
    [
      "GET /automation_rule_statistics",
      () => ({
        ...{ operationId: "countRunsOfAutomationRules", summary: "Read how often automation rules ran", tag },
        description:
          "The runs of the last seven days, at most the newest thousand of each rule. Rules that did not run are left out.",
        responses: {
          200: buildJsonResponse(
            context,
            "Runs and failures by rule.",
            {
              type: "array",
              items: {
                type: "object",
                properties: {
                  ...{ rule_id: { type: "integer" }, runs: { type: "integer" }, failures: { type: "integer" } },
                  last_run_at: { type: "string", format: "date-time" },
                },
              },
            },
            [{ rule_id: 7, runs: 412, failures: 1, last_run_at: "2026-03-02T10:41:07Z" }],
          ),
        },
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
                loops: {
                  type: "array",
                  description: "Actions that fire the trigger of the rule again, and the rules on the way.",
                  items: {
                    type: "object",
                    properties: { action: { type: "integer" }, through: { type: "array", items: text } },
                  },
                },
              },
            },
            { problem: null, loops: [] },
          ),
        },
      }),
    ],
    [
      "POST /automation_rule_completion",
      () => ({
        ...{ operationId: "completeAutomationRule", summary: "List what can stand at a place of a rule", tag },
        description:
          "Fields, relations, names, functions and choices from the declarations, with their values for a record.",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["rule", "part", "line", "column"],
                properties: {
                  rule: { type: "object", properties: ruleMembers },
                  part: { type: "string", enum: ["expressions", "condition", "actions"] },
                  line: { type: "integer", description: "From 1." },
                  column: { type: "integer", description: "From 1: the cursor stands before this character." },
                  record_id: orNull({ type: "integer" }),
                },
              },
              example: { rule: { generic: "request", condition: "team." }, part: "condition", line: 1, column: 6 },
            },
          },
        },
        responses: {
          200: buildJsonResponse(
            context,
            "The suggestions, and the offset of the first character that they replace.",
            {
              type: "object",
              properties: {
                from: { type: "integer" },
                items: {
                  type: "array",
                  items: {
                    type: "object",
                    properties: {
                      text,
                      kind: {
                        type: "string",
                        enum: ["field", "relation", "name", "function", "choice", "word", "type"],
                      },
                      type: orNull(text),
                      value: orNull(text),
                    },
                  },
                },
              },
            },
            { from: 5, items: [{ text: "name", kind: "field", type: "text", value: "Networks" }] },
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
              properties: {
                ...common,
                expressions: {
                  type: "array",
                  items: { type: "object", properties: { name: text, value: text, error: orNull(text) } },
                  description: "All expressions with their values as text, or why they have none.",
                },
                milliseconds: { type: "integer" },
                changes: { type: "array", items: change, description: "What would be different." },
                effects: {
                  type: "array",
                  items: { type: "object", properties: { kind: text } },
                  description: "Notes, e-mails, calls of webhooks and rules to start later.",
                },
                error: orNull({ type: "object", properties: { kind: text, message: text } }),
              },
            },
            {
              outcome: "not met",
              expressions: [{ name: "done", value: "false", error: null }],
              condition: "false",
              actions: [],
              error: null,
              milliseconds: 11,
              changes: [],
              effects: [],
            },
          ),
        },
      }),
    ],
  ];
}
