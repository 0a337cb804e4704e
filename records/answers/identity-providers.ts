import {
  answer,
  boolean,
  datetime,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  secret,
  string,
  url,
  word,
} from "../vocabulary/index.ts";

// The identity providers that people of an account sign in with.

const identityMembers = {
  name: noted("shown on the sign-in page", string(128)),
  reference: noted("part of the sign-in URL; lowercase letters, digits and hyphens", string(40)),
  issuer: noted("the exact issuer identifier of the provider", url),
  client_id: string(500),
};
const settings = {
  domains: noted(
    "allowed email domains: for people who are linked or created by email address, and for addresses that are directed to this provider at sign-in",
    list(string(), 100),
  ),
  scopes: noted("space-separated; must include `openid`", string()),
  identifier: noted("the field used to find a person at their first sign-in", word("email", "authenticationID")),
  identifier_claim: noted("the claim that is matched against the authenticationID", string()),
  create_people: noted("creates unknown people, without roles, when they sign in", boolean),
  organization_id: noted("the organization of created people if no claim provides one", orNull(integer())),
  second_factor_by_provider: noted("no code is requested here because the provider handles the second factor", boolean),
  enforced: noted(
    "people of the account can no longer sign in with a password, except the account owner at `/access/normal`",
    boolean,
  ),
  disabled: boolean,
};
const claims = {
  email: string(),
  name: string(),
  job_title: string(),
  locale: string(),
  time_zone: string(),
  organization: string(),
  site: string(),
  manager: string(),
  picture: string(),
};
const claimsNote = "the claim for each field of a created person; an empty string: none";

export const identityProvider = answer("IdentityProvider", {
  id: integer(),
  ...identityMembers,
  ...settings,
  claims: noted(claimsNote, object(claims)),
  has_client_secret: boolean,
  start_url: noted("the URL that starts sign-in; providers can also use it for provider-initiated sign-in", url),
  callback_url: noted("the callback URL to register with the provider", url),
  back_channel_logout_url: noted("the URL that the provider calls when someone signs out there", url),
  created_at: datetime,
  updated_at: datetime,
});
const input = {
  ...partial(settings),
  claims: noted(claimsNote, optional(object(partial(claims)))),
  client_secret: noted("stored encrypted and never returned; null removes it", optional(orNull(secret(1000)))),
};
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
  ...{ scopes: "openid email profile", identifier: "email", identifier_claim: "sub" },
  claims: {
    ...{ email: "email", name: "name", job_title: "jobTitle", locale: "locale", time_zone: "zoneinfo" },
    ...{ organization: "organization", site: "site", manager: "manager", picture: "picture" },
  },
  ...{ create_people: false, organization_id: null, second_factor_by_provider: false },
  ...{ enforced: false, disabled: false, has_client_secret: true },
  start_url: "https://desk.example.com/a/acme/sso/acme",
  callback_url: "https://desk.example.com/sso/callback",
  back_channel_logout_url: "https://desk.example.com/sso/back_channel_logout",
  created_at: "2026-03-02T09:00:00+00:00",
  updated_at: "2026-03-02T09:00:00+00:00",
};
export const connectionTest = object({
  works: boolean,
  problem: noted("the reason the provider doesn't work", orNull(string())),
  authorization_endpoint: orNull(string()),
  signs_out: boolean,
});
export const identityLink = answer("IdentityLink", {
  id: integer(),
  person: named,
  issuer: url,
  subject: string(),
  created_at: datetime,
  last_used_at: orNull(datetime),
});

const tag = "Sign-in";
const forAdministrators = "Available to account administrators.";
const inTrail = "The change is recorded in the security log.";

export const identityProviderOperations = operations({
  "GET /identity_providers": {
    id: "listIdentityProviders",
    summary: "List identity providers",
    description: forAdministrators,
    tag,
    answer: list(identityProvider),
    answers: "A list of identity providers, oldest first.",
    example: [example],
  },
  "POST /identity_providers": {
    id: "createIdentityProvider",
    summary: "Add an identity provider (OpenID Connect)",
    description: `${forAdministrators} ${inTrail}`,
    tag,
    body: object({ ...identityMembers, ...input }),
    bodyExample: { ...exampleSettings, client_secret: "a secret of the provider" },
    status: 201,
    answer: identityProvider,
    answers: "The identity provider.",
    example,
  },
  "GET /identity_providers/:id": {
    id: "getIdentityProvider",
    summary: "Retrieve an identity provider",
    description: forAdministrators,
    tag,
    answer: identityProvider,
    answers: "The identity provider.",
    example,
  },
  "PATCH /identity_providers/:id": {
    id: "updateIdentityProvider",
    summary: "Update an identity provider",
    description: `${forAdministrators} Omitted members keep their values; active sessions continue. ${inTrail}`,
    tag,
    body: object({ ...partial(identityMembers), ...input }),
    bodyExample: { domains: ["acme.example"], enforced: true },
    answer: identityProvider,
    answers: "The updated identity provider.",
    example,
  },
  "DELETE /identity_providers/:id": {
    id: "deleteIdentityProvider",
    summary: "Delete an identity provider and its links",
    description: `${forAdministrators} ${inTrail}`,
    tag,
    answer: null,
  },
  "POST /identity_providers/:id/test": {
    id: "testIdentityProvider",
    summary: "Test the connection to an identity provider",
    description: forAdministrators,
    tag,
    answer: connectionTest,
    answers: "The result of the test.",
    example: {
      ...{ works: true, problem: null, authorization_endpoint: "https://login.acme.example/authorize" },
      signs_out: true,
    },
  },
  "GET /identity_providers/:id/links": {
    id: "listIdentityLinks",
    summary: "List the people linked to an identity provider",
    description: forAdministrators,
    tag,
    query: { person: noted("The id of a person.", optional(integer())) },
    hasFields: true,
    isPaged: true,
    answer: list(identityLink),
    answers: "A list of identity links, newest first.",
    example: [
      {
        ...{ id: 3, person: { id: 12, name: "Ada Admin" }, issuer: "https://login.acme.example", subject: "a81f" },
        ...{ created_at: "2026-03-02T09:00:00+00:00", last_used_at: null },
      },
    ],
  },
  "POST /identity_providers/:id/links": {
    id: "createIdentityLink",
    summary: "Link a person to a subject at an identity provider",
    description: `${forAdministrators} From then on, the person signs in with this subject, even if they are an administrator. ${inTrail}`,
    tag,
    body: object({ person_id: integer(), subject: string(255) }),
    bodyExample: { person_id: 12, subject: "a81f" },
    status: 201,
    answer: object({ id: integer({ min: 1 }) }),
    answers: "Created.",
    example: { id: 7 },
  },
  "DELETE /identity_providers/:id/links/:link_id": {
    id: "deleteIdentityLink",
    summary: "Unlink a person from an identity provider",
    description: `${forAdministrators} ${inTrail}`,
    tag,
    answer: null,
  },
});
