import { enumerations } from "../../../../records/enumerations/index.ts";
import { signInMethods } from "../../../oauth/policy/policy-members.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { objectOf, oneOf } from "./administration-operations.ts";

// Describes the routes of sign-in-policy-routes.ts for the OpenAPI document.

const networks = (who: string) => ({
  type: "array" as const,
  items: { type: "string" as const },
  maxItems: 200,
  description: `addresses and CIDR ranges from which ${who} may use the account; empty: from everywhere`,
});

const members = {
  second_factor: {
    ...oneOf("optional", "roles", "everyone"),
    description: "who must give a second factor when signing in; `roles`: those with one of `second_factor_roles`",
  },
  second_factor_roles: { type: "array", items: oneOf(...enumerations["permission.role"]) },
  sign_in_methods: {
    type: "array",
    items: oneOf(...signInMethods),
    description: "how sessions may begin; at least one",
  },
  minimum_password_length: { type: "integer", minimum: 8, maximum: 64 },
  refuse_common_passwords: {
    type: "boolean",
    description: "whether passwords that are on a list of common passwords are refused",
  },
  idle_session_minutes: {
    type: "integer",
    minimum: 5,
    maximum: 43_200,
    description: "after how many minutes without use a session ends",
  },
  longest_session_hours: {
    type: "integer",
    minimum: 1,
    maximum: 720,
    description: "after how many hours a session ends in any case",
  },
  longest_token_days: {
    type: "integer",
    minimum: 1,
    maximum: 3650,
    description: "how long a new personal access token may be valid",
  },
  tokens_without_expiry: { type: "boolean", description: "whether a new personal access token may be valid for ever" },
  web_networks: networks("browsers"),
  api_networks: networks("API clients"),
  named_networks: {
    type: "array",
    items: { type: "string" },
    maxItems: 200,
    description: "networks and what the audit trail calls them, such as 10.20.0.0/16 Eindhoven",
  },
} satisfies Record<string, Schema>;
const example = {
  second_factor: "roles",
  second_factor_roles: ["account_administrator"],
  sign_in_methods: ["password", "passkey"],
  minimum_password_length: 12,
  refuse_common_passwords: true,
  idle_session_minutes: 480,
  longest_session_hours: 720,
  longest_token_days: 365,
  tokens_without_expiry: false,
  web_networks: ["203.0.113.0/24", "2001:db8::/32"],
  api_networks: [],
  named_networks: ["203.0.113.0/24 Eindhoven"],
};

export const signInPolicyOperations = (context: OpenApiContext): ApiOperations => {
  const policy = () => context.components.ref("schemas", "SignInPolicy", () => objectOf(members));
  return [
    [
      "GET /sign_in_policy",
      () => ({
        operationId: "getSignInPolicy",
        summary: "Read how the people of the account sign in",
        description: "For administrators of the account.",
        tag: "Sign-in",
        responses: { 200: buildJsonResponse(context, "The policy.", policy(), example) },
      }),
    ],
    [
      "PATCH /sign_in_policy",
      () => ({
        operationId: "updateSignInPolicy",
        summary: "Change how the people of the account sign in",
        description:
          "For administrators of the account. Members that are not named keep their value. People without a second factor set one up when they sign in next; running sessions go on, but not longer than the lifetimes allow. A change that would lock out the caller is refused: the networks of the interface that is used must contain the address of the caller. The change is part of the security trail.",
        tag: "Sign-in",
        requestBody: buildJsonBody({ type: "object", properties: members }, example),
        responses: { 200: buildJsonResponse(context, "The policy as it is now.", policy(), example, []) },
      }),
    ],
  ];
};
