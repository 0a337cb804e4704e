import { enumerations } from "../../../../records/enumerations/index.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import { objectOf, oneOf } from "./administration-operations.ts";

// Describes the routes of sign-in-policy-routes.ts for the OpenAPI document.

const members = {
  second_factor: {
    ...oneOf("optional", "roles", "everyone"),
    description: "who must give a second factor when signing in; `roles`: those with one of `second_factor_roles`",
  },
  second_factor_roles: { type: "array", items: oneOf(...enumerations["permission.role"]) },
} satisfies Record<string, Schema>;
const example = { second_factor: "roles", second_factor_roles: ["account_administrator"] };

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
          "For administrators of the account. Members that are not named keep their value. People without a second factor set one up when they sign in next; running sessions go on. The change is part of the security trail.",
        tag: "Sign-in",
        requestBody: buildJsonBody({ type: "object", properties: members }, example),
        responses: { 200: buildJsonResponse(context, "The policy as it is now.", policy(), example, []) },
      }),
    ],
    [
      "DELETE /people/:id/second_factor",
      () => ({
        operationId: "removeSecondFactor",
        summary: "Let a person sign in with the password alone",
        description:
          "For administrators of the person's account: for people who lost their authenticator app and their recovery codes.",
        tag: "Sign-in",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
  ];
};
