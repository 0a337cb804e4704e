import type { ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import { integer, moment, objectOf, text } from "./administration-operations.ts";

// Describes the routes of person-sign-in-routes.ts for the OpenAPI document.

const listOf = (members: Record<string, Schema>): Schema => ({ type: "array", items: objectOf(members) });
const use = objectOf({ count: integer, last_used_at: orNull(moment) });

const facts = objectOf({
  password: { ...orNull(objectOf({ changed_at: moment })), description: "null: the person has no password" },
  second_factor: {
    ...orNull(objectOf({ created_at: moment })),
    description: "an authenticator app; null: the person has not set up two-step sign-in",
  },
  passkeys: listOf({ name: text, created_at: moment, last_used_at: orNull(moment) }),
  identity_providers: listOf({ name: text, last_used_at: orNull(moment) }),
  sessions: listOf({ user_agent: text, address: text, created_at: moment, last_seen_at: moment }),
  personal_access_tokens: use,
  applications: { ...use, description: "applications that the person has authorized" },
});
const factsExample = {
  password: { changed_at: "2026-01-12T08:30:00Z" },
  second_factor: null,
  passkeys: [{ name: "Laptop", created_at: "2026-02-01T09:00:00Z", last_used_at: "2026-11-16T07:58:00Z" }],
  identity_providers: [],
  sessions: [
    {
      user_agent: "Mozilla/5.0",
      address: "203.0.113.7",
      created_at: "2026-11-16T07:58:00Z",
      last_seen_at: "2026-11-16T10:42:00Z",
    },
  ],
  personal_access_tokens: { count: 1, last_used_at: "2026-11-13T03:00:00Z" },
  applications: { count: 2, last_used_at: null },
};

const forAdministrators = "For administrators of the person's account.";
const asksForProof = "In a browser the administrator must have proved lately who they are.";

export const personSignInOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /people/:id/sign_in_methods",
    () => ({
      operationId: "getSignInMethods",
      summary: "Read how a person signs in",
      description: `${forAdministrators} At most 20 of each list, the sessions used last first.`,
      tag: "Sign-in",
      responses: {
        200: buildJsonResponse(
          context,
          "What the person signs in with, and where they are signed in.",
          context.components.ref("schemas", "SignInMethods", () => facts),
          factsExample,
        ),
      },
    }),
  ],
  [
    "POST /people/:id/sign_out",
    () => ({
      operationId: "signOutEverywhere",
      summary: "Sign a person out everywhere",
      description: `${forAdministrators} ${asksForProof} Ends all sessions and deletes the personal access tokens and the tokens that applications have for the person; devices that needed no code ask for one again. Passwords, passkeys, two-step sign-in and the consent to applications stay, so the person can sign in again: disable the person to prevent that. It counts at once in all processes and is part of the security trail. An application with the grant type client credentials gets a new token with its next call.`,
      tag: "Sign-in",
      responses: {
        200: buildJsonResponse(
          context,
          "How many sessions and personal access tokens ended, and how many applications lost their tokens.",
          context.components.ref("schemas", "EndedAccess", () =>
            objectOf({ sessions: integer, tokens: integer, applications: integer }),
          ),
          { sessions: 2, tokens: 1, applications: 0 },
          [],
        ),
      },
    }),
  ],
  [
    "DELETE /people/:id/second_factor",
    () => ({
      operationId: "removeSecondFactor",
      summary: "Let a person sign in with the password alone",
      description: `${forAdministrators} ${asksForProof} For people who lost their authenticator app and their recovery codes. Their passkeys are removed, too.`,
      tag: "Sign-in",
      responses: { 204: buildNoContentResponse(context) },
    }),
  ],
];
