import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import { objectOf, oneOf } from "./administration-operations.ts";

// Describes the routes of scim-routes.ts for the OpenAPI document. SCIM itself describes itself, at /scim/v2/Schemas.

const moment: Schema = { type: ["string", "null"], format: "date-time" };
const tokenMembers = {
  id: { type: "integer" },
  name: { type: "string" },
  created_at: { type: "string", format: "date-time" },
  last_used_at: moment,
  expires_at: { ...moment, description: "a token ends thirty days after the next one was made" },
  created_by: { anyOf: [objectOf({ id: { type: "integer" }, name: { type: "string" } }), { type: "null" }] },
} satisfies Record<string, Schema>;
const runMembers = {
  id: { type: "integer" },
  rule_id: { type: "integer" },
  rule_name: { type: "string" },
  record_type: oneOf("scim_user", "scim_group"),
  record_id: { type: "integer" },
  started_at: { type: "string" },
  outcome: oneOf("done", "not met", "failed", "dropped"),
  actions: { type: "array", items: { type: "string" } },
  error: { type: ["string", "null"] },
} satisfies Record<string, Schema>;
const count: Schema = { type: "integer" };

const exampleToken = {
  ...{ id: 3, name: "SCIM 2026-01-05", created_at: "2026-01-05T09:00:00Z", last_used_at: null, expires_at: null },
  created_by: { id: 7, name: "Ada Admin" },
};
const exampleState = {
  ...{ base_url: "https://desk.example.com/scim/v2", enabled: true, tokens: [exampleToken] },
  ...{ users: { active: 812, inactive: 14, failed: 0 }, groups: 31, runs: [] },
};

export const scimOperations = (context: OpenApiContext): ApiOperations => {
  const token = () => context.components.ref("schemas", "ScimToken", () => objectOf(tokenMembers));
  const state = () =>
    objectOf({
      base_url: { type: "string" },
      enabled: { type: "boolean" },
      tokens: { type: "array", items: token() },
      users: objectOf({ active: count, inactive: count, failed: count }),
      groups: count,
      runs: { type: "array", items: objectOf(runMembers) },
    });
  const describeProcess = (name: "user" | "group"): ApiOperations[number] => [
    `POST /scim_${name}s/:id/process`,
    () => ({
      operationId: name === "user" ? "processScimUser" : "processScimGroup",
      summary: `Run the rules of a SCIM ${name} again`,
      description: "For administrators of the account. The rules run in the background.",
      responses: { 204: buildNoContentResponse(context) },
    }),
  ];
  return [
    [
      "GET /scim",
      () => ({
        operationId: "getScim",
        summary: "Read the state of provisioning",
        description: "For administrators of the account: whether it is on, its tokens, and what rules did last.",
        tag: "Provisioning",
        responses: { 200: buildJsonResponse(context, "The state.", state(), exampleState) },
      }),
    ],
    [
      "POST /scim/tokens",
      () => ({
        operationId: "createScimToken",
        summary: "Switch provisioning on, or make a new token",
        description:
          "For administrators of the account. The token is shown in this answer alone. Tokens made before work for thirty more days.",
        tag: "Provisioning",
        responses: {
          201: buildJsonResponse(
            context,
            "The token.",
            objectOf({ ...tokenMembers, token: { type: "string" } }),
            { ...exampleToken, token: "9f".repeat(32) },
            [],
          ),
        },
      }),
    ],
    [
      "DELETE /scim/tokens/:id",
      () => ({
        operationId: "deleteScimToken",
        summary: "Delete a token of provisioning",
        description: "For administrators of the account. Clients that use it are refused from then on.",
        tag: "Provisioning",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      "DELETE /scim",
      () => ({
        operationId: "disableScim",
        summary: "Switch provisioning off",
        description: "For administrators of the account: deletes all tokens. Users, groups and rules stay.",
        tag: "Provisioning",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    describeProcess("user"),
    describeProcess("group"),
  ];
};
