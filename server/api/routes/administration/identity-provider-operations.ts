import { defaultSettings, mappedFields } from "../../../oauth/providers/identity-provider.ts";
import type { ApiOperation, ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter } from "../../openapi/list-parameters.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildCreatedIdResponse, buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";
import {
  buildEntriesResponse,
  buildFilter,
  integer,
  moment,
  objectOf,
  oneOf,
  text,
} from "./administration-operations.ts";

// Describes the routes of identity-provider-routes.ts for the OpenAPI document.

const flag: Schema = { type: "boolean" };
const uri: Schema = { type: "string", format: "uri" };

const settings = {
  name: { ...text, maxLength: 128, description: "shown on the sign-in page" },
  reference: {
    ...text,
    maxLength: 40,
    description: "part of the address at which signing in begins; small letters, digits, hyphens",
  },
  issuer: { ...uri, description: "letter by letter as the provider calls itself" },
  client_id: { ...text, maxLength: 500 },
  domains: {
    type: "array",
    items: text,
    maxItems: 100,
    description:
      "domains of e-mail addresses that count: of people who are linked or created by their address, and of addresses that lead to this provider",
  },
  scopes: { ...text, description: "separated by blanks, `openid` among them" },
  identifier: {
    ...oneOf("email", "authenticationID"),
    description: "by what a person is found when they sign in for the first time",
  },
  identifier_claim: { ...text, description: "the claim that is compared with the authenticationID" },
  claims: {
    type: "object",
    properties: Object.fromEntries(mappedFields.map((field) => [field, text])),
    description: "the claim for each field of a person who is created; an empty text: none",
  },
  create_people: { ...flag, description: "people who are not known are created, without roles, when they sign in" },
  organization_id: {
    type: ["integer", "null"],
    description: "of people who are created, where no claim names an organization",
  },
  second_factor_by_provider: { ...flag, description: "no code is asked for here" },
  enforced: {
    ...flag,
    description:
      "passwords of people of the account begin no session any more, except that of the account owner at `/access/normal`",
  },
  disabled: flag,
} satisfies Record<string, Schema>;
const input: Record<string, Schema> = {
  ...settings,
  client_secret: {
    type: ["string", "null"],
    maxLength: 1000,
    writeOnly: true,
    description: "stored encrypted and never returned; null removes it",
  },
};
const shown = objectOf({
  id: integer,
  ...settings,
  has_client_secret: flag,
  start_url: { ...uri, description: "where signing in begins; also the address that providers call to begin it" },
  callback_url: { ...uri, description: "to register with the provider" },
  back_channel_logout_url: { ...uri, description: "where the provider tells that somebody has signed out there" },
  created_at: moment,
  updated_at: moment,
});
const exampleSettings = {
  name: "Acme login",
  reference: "acme",
  issuer: "https://login.acme.example",
  client_id: "steward",
  domains: ["acme.example"],
};
const example = {
  id: 7,
  ...exampleSettings,
  ...defaultSettings,
  ...{ enforced: false, disabled: false },
  has_client_secret: true,
  start_url: "https://desk.example.com/a/acme/sso/acme",
  callback_url: "https://desk.example.com/sso/callback",
  back_channel_logout_url: "https://desk.example.com/sso/back_channel_logout",
  created_at: "2026-03-02T09:00:00+00:00",
  updated_at: "2026-03-02T09:00:00+00:00",
};
const test = objectOf({
  works: flag,
  problem: orNull(text),
  authorization_endpoint: orNull(text),
  signs_out: flag,
});
export const linkEntry = objectOf({
  id: integer,
  person: objectOf({ id: integer, name: text }),
  issuer: uri,
  subject: text,
  created_at: moment,
  last_used_at: orNull(moment),
});

export function identityProviderOperations(context: OpenApiContext): ApiOperations {
  const provider = () => context.components.ref("schemas", "IdentityProvider", () => shown);
  const describe = (operation: Omit<ApiOperation, "tag" | "description">, more = ""): ApiOperation => ({
    ...operation,
    description: `For administrators of the account.${more}`,
    tag: "Sign-in",
  });
  const answer = (words: string) => buildJsonResponse(context, words, provider(), example, []);
  const inTrail = " The change is part of the security trail.";
  // biome-ignore format: one row per route
  return [
    ["GET /identity_providers", () => describe({
      operationId: "listIdentityProviders", summary: "List the identity providers that people sign in with",
      responses: { 200: buildJsonResponse(context, "All of them, the first one first.", { type: "array", items: provider() }, [example]) },
    })],
    ["POST /identity_providers", () => describe({
      operationId: "createIdentityProvider", summary: "Add an identity provider (OpenID Connect)",
      requestBody: buildJsonBody({ type: "object", required: ["name", "reference", "issuer", "client_id"], properties: input }, { ...exampleSettings, client_secret: "a secret of the provider" }),
      responses: { 201: answer("The provider.") },
    }, inTrail)],
    ["GET /identity_providers/:id", () => describe({
      operationId: "getIdentityProvider", summary: "Read an identity provider",
      responses: { 200: buildJsonResponse(context, "The provider.", provider(), example) },
    })],
    ["PATCH /identity_providers/:id", () => describe({
      operationId: "updateIdentityProvider", summary: "Change an identity provider",
      requestBody: buildJsonBody({ type: "object", properties: input }, { domains: ["acme.example"], enforced: true }),
      responses: { 200: answer("The provider as it is now.") },
    }, ` Members that are not named keep their value; running sessions go on.${inTrail}`)],
    ["DELETE /identity_providers/:id", () => describe({
      operationId: "deleteIdentityProvider", summary: "Remove an identity provider with its links to people",
      responses: { 204: buildNoContentResponse(context) },
    }, inTrail)],
    ["POST /identity_providers/:id/test", () => describe({
      operationId: "testIdentityProvider", summary: "Ask the provider for its settings and keys",
      responses: { 200: buildJsonResponse(context, "Whether it answers as it should.", test, { works: true, problem: null, authorization_endpoint: "https://login.acme.example/authorize", signs_out: true }, []) },
    })],
    ["GET /identity_providers/:id/links", () => describe({
      operationId: "listIdentityLinks", summary: "List who is who at the provider",
      parameters: [buildFilter("person", "The id of a person.", integer), buildEntryFieldsParameter(linkEntry)],
      responses: { 200: buildEntriesResponse(context, "Who is who.", "IdentityLink", linkEntry, { id: 3, person: { id: 12, name: "Ada Admin" }, issuer: "https://login.acme.example", subject: "a81f", created_at: "2026-03-02T09:00:00+00:00", last_used_at: null }) },
    })],
    ["POST /identity_providers/:id/links", () => describe({
      operationId: "createIdentityLink", summary: "Link a subject of the provider to a person",
      requestBody: buildJsonBody({ type: "object", required: ["person_id", "subject"], properties: { person_id: integer, subject: { ...text, maxLength: 255 } } }, { person_id: 12, subject: "a81f" }),
      responses: { 201: buildCreatedIdResponse(context) },
    }, ` The person signs in with this subject from then on, also where they are an administrator.${inTrail}`)],
    ["DELETE /identity_providers/:id/links/:link_id", () => describe({
      operationId: "deleteIdentityLink", summary: "Undo the link of a subject to a person",
      responses: { 204: buildNoContentResponse(context) },
    }, inTrail)],
  ];
}
