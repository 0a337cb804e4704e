import {
  anything,
  boolean,
  datetime,
  integer,
  list,
  noted,
  object,
  openObject,
  optional,
  orNull,
  partial,
  type SessionOperations,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";
import type { AnswerOf } from "./answer-of.ts";

// The private routes below /session-api: what a browser needs and tokens must not do. They are no part of the API, and
// docs/private-routes.md names the reason for each.

/** For calls of the REST API; expires_in: seconds. */
const bearer = { access_token: string(), expires_in: integer() };

export const whoAmI = object({
  ...bearer,
  csrf_token: string(),
  stream_position: noted("The event stream sends events after this position.", string()),
  person: object({
    id: integer(),
    name: string(),
    email: string(),
    locale: string(),
    time_zone: string(),
    iana_zone: noted("The IANA time zone, as used by browsers.", string()),
    account: string(),
  }),
  accounts: list(object({ id: string(), name: string(), roles: strings, manages_team: boolean })),
  arriving_work: noted("Percentage of the demo company's data loaded so far, while loading.", optional(integer())),
});
export const accessToken = object({ ...bearer, token_type: word("bearer") });
/** Whether this browser has a session, and the token for its forms. */
export const signInState = object({ csrf_token: string(), is_signed_in: boolean });

export const session = object({
  id: integer(),
  current: boolean,
  created_at: datetime,
  last_seen_at: datetime,
  expires_at: datetime,
  user_agent: string(),
  address: string(),
});

export const scope = object({ effect: word("allow", "deny"), actions: strings, accounts: strings });
export type Scope = AnswerOf<typeof scope>;

const tokenMembers = {
  id: integer(),
  name: string(),
  scopes: list(scope),
  created_at: datetime,
  last_used_at: orNull(datetime),
  expires_at: orNull(datetime),
};
export const personalToken = object(tokenMembers);
/** With its secret, which is shown once. */
export const newPersonalToken = object({ ...tokenMembers, token: string() });
export const tokenRules = object({ usual_days: integer(), longest_days: integer(), may_never_expire: boolean });

export const authorization = object({
  id: integer(),
  application: object({ id: integer(), name: string(), description: orNull(string()), homepage_url: orNull(string()) }),
  account: object({ id: string(), name: string() }),
  scopes: list(scope),
  created_at: datetime,
  last_used_at: orNull(datetime),
});

/** The two-step verification of the person; `enabled_at` null: off. */
export const secondFactor = object({
  is_required: boolean,
  enabled_at: orNull(datetime),
  recovery_codes_left: integer(),
  trusted_devices: integer(),
});
export const secondFactorSetup = object({ token: string(), key: string(), uri: string() });
export const recoveryCodes = object({ recovery_codes: strings });

export const passkey = object({ id: integer(), name: string(), created_at: datetime, last_used_at: orNull(datetime) });
/** `options` go to the browser's credential API as they are; `challenge` comes back with the credential. */
export const passkeyChallenge = object({ options: openObject({ challenge: string() }, anything), challenge: string() });
const credential = { challenge: string(), passkey: anything };

export const grantType = word("authorization_code", "client_credentials");
export const applicationClient = object({
  id: integer(),
  client_id: string(),
  disabled: boolean,
  created_at: datetime,
  last_used_at: orNull(datetime),
});
/** With its secret, which is shown once. */
export const newClientPair = object({ id: integer(), client_id: string(), client_secret: string() });
export const application = object({
  id: integer(),
  name: string(),
  description: orNull(string()),
  homepage_url: orNull(string()),
  endpoints: strings,
  grant_type: grantType,
  scopes: list(scope),
  disabled: boolean,
  person: orNull(object({ id: integer(), name: string(), email: string() })),
  clients: list(applicationClient),
  created_at: datetime,
  updated_at: datetime,
});
/** The server parses it, so that it can report every problem together. */
const applicationValues = openObject(partial({ name: string(), disabled: boolean }), anything);
const password = object({ current_password: string() });

/** Of the person who is signed in. */
export const personSessionOperations = {
  "GET /me": { answer: whoAmI },
  "POST /access-token": { status: 201, answer: accessToken },
  "GET /sessions": { answer: list(session) },
  "DELETE /sessions/:id": { answer: null },
  "DELETE /session": { answer: null },
  "PUT /password": { body: object({ current_password: string(), new_password: string() }), answer: null },
  "GET /personal-access-tokens": { answer: list(personalToken) },
  "POST /personal-access-tokens": {
    body: object({ name: string(), scopes: anything, expires_in_days: optional(orNull(integer())) }),
    ...{ status: 201, answer: newPersonalToken },
  },
  "DELETE /personal-access-tokens/:id": { answer: null },
  "GET /token-rules": { answer: tokenRules },
  "GET /authorizations": { answer: list(authorization) },
  "DELETE /authorizations/:id": { answer: null },
} as const satisfies SessionOperations;

export const secondFactorOperations = {
  "GET /second-factor": { answer: secondFactor },
  "POST /second-factor/setup": { body: password, answer: secondFactorSetup },
  "POST /second-factor": { body: object({ token: string(), code: string() }), status: 201, answer: recoveryCodes },
  "POST /second-factor/recovery-codes": { body: password, status: 201, answer: recoveryCodes },
  "POST /second-factor/removal": { body: password, answer: null },
  "DELETE /second-factor/devices": { answer: null },
} as const satisfies SessionOperations;

/** Proving again who is at the browser (D-553), and the passkeys that can do it. */
export const proofOperations = {
  "POST /proof": {
    body: object(partial({ current_password: string(), code: string(), ...credential })),
    answer: null,
  },
  "POST /proof/passkey": { answer: passkeyChallenge },
  "GET /passkeys": { answer: list(passkey) },
  "POST /passkeys/options": { answer: passkeyChallenge },
  "POST /passkeys": { body: object({ name: string(), ...credential }), status: 201, answer: passkey },
  "DELETE /passkeys/:id": { answer: null },
} as const satisfies SessionOperations;

/** For administrators of the account. */
export const applicationOperations = {
  "GET /accounts/:account/oauth-applications": { answer: list(application) },
  "POST /accounts/:account/oauth-applications": { body: applicationValues, status: 201, answer: application },
  "GET /accounts/:account/oauth-applications/:id": { answer: application },
  "PATCH /accounts/:account/oauth-applications/:id": { body: applicationValues, answer: application },
  "DELETE /accounts/:account/oauth-applications/:id": { answer: null },
  "POST /accounts/:account/oauth-applications/:id/clients": { status: 201, answer: newClientPair },
  "PATCH /accounts/:account/oauth-applications/:id/clients/:client": {
    body: object({ disabled: boolean }),
    answer: null,
  },
  "DELETE /accounts/:account/oauth-applications/:id/clients/:client": { answer: null },
} as const satisfies SessionOperations;

export const presenceOperations = {
  "POST /accounts/:account/presence": {
    body: object({ type: string(), id: integer(), doing: word("viewing", "writing", "gone") }),
    answer: null,
  },
} as const satisfies SessionOperations;

/** Every route that the settings call. The web interface uses its type alone. */
export const sessionOperations = {
  ...personSessionOperations,
  ...secondFactorOperations,
  ...proofOperations,
  ...applicationOperations,
};
