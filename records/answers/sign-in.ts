import {
  answer,
  boolean,
  choice,
  datetime,
  integer,
  list,
  noted,
  object,
  operations,
  orNull,
  partial,
  string,
  word,
} from "../vocabulary/index.ts";
import type { AnswerOf } from "./answer-of.ts";

// How the people of an account sign in: the policy of the account, and what is known of one person.

const tag = "Sign-in";

const networks = (who: string) =>
  noted(`IP addresses and CIDR ranges from which ${who} can use the account; empty: anywhere`, list(string(), 200));
const policyMembers = {
  second_factor: noted(
    "who must use a second factor when signing in; `roles`: people with one of `second_factor_roles`",
    word("optional", "roles", "everyone"),
  ),
  second_factor_roles: list(choice("permission.role")),
  sign_in_methods: noted("allowed sign-in methods; at least one", list(word("password", "passkey", "single_sign_on"))),
  minimum_password_length: integer({ min: 8, max: 64 }),
  refuse_common_passwords: noted("whether passwords on a list of common passwords are rejected", boolean),
  idle_session_minutes: noted("minutes of inactivity after which a session ends", integer({ min: 5, max: 43_200 })),
  longest_session_hours: noted("hours after which a session always ends", integer({ min: 1, max: 720 })),
  longest_token_days: noted("maximum lifetime of a new personal access token, in days", integer({ min: 1, max: 3650 })),
  tokens_without_expiry: noted("whether a new personal access token can be created without an expiry date", boolean),
  web_networks: networks("browsers"),
  api_networks: networks("API clients"),
  named_networks: noted(
    "networks with the names shown for them in the audit trail, such as 10.20.0.0/16 Eindhoven",
    list(string(), 200),
  ),
};
export const signInPolicy = answer("SignInPolicy", policyMembers);
const examplePolicy = {
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

export const signInPolicyOperations = operations({
  "GET /sign_in_policy": {
    id: "getSignInPolicy",
    summary: "Retrieve the sign-in policy",
    description: "Available to account administrators.",
    tag,
    answer: signInPolicy,
    answers: "The sign-in policy.",
    example: examplePolicy,
  },
  "PATCH /sign_in_policy": {
    id: "updateSignInPolicy",
    summary: "Update the sign-in policy",
    description:
      "Available to account administrators. Omitted members keep their values. People without a second factor set one up the next time they sign in. Active sessions continue, but no longer than the lifetimes allow. A change that would lock out the caller is rejected: the networks for the interface in use must contain the caller's address. The change is recorded in the security log.",
    tag,
    body: object(partial(policyMembers)),
    bodyExample: examplePolicy,
    answer: signInPolicy,
    answers: "The updated sign-in policy.",
    example: examplePolicy,
  },
});

const use = { count: integer(), last_used_at: orNull(datetime) };
export const signInMethods = answer("SignInMethods", {
  password: noted("the person's password; null: no password is set", orNull(object({ changed_at: datetime }))),
  second_factor: noted(
    "the authenticator app; null: two-step verification isn't set up",
    orNull(object({ created_at: datetime })),
  ),
  passkeys: list(object({ name: string(), created_at: datetime, last_used_at: orNull(datetime) })),
  identity_providers: list(object({ name: string(), last_used_at: orNull(datetime) })),
  sessions: list(object({ user_agent: string(), address: string(), created_at: datetime, last_seen_at: datetime })),
  personal_access_tokens: object(use),
  applications: noted("applications that the person has authorized", object(use)),
});
export type SignInMethods = AnswerOf<typeof signInMethods>;
/** The result of signing out everywhere. */
export const endedAccess = answer("EndedAccess", {
  sessions: integer(),
  tokens: integer(),
  applications: integer(),
});

const forAdministrators = "Available to administrators of the person's account.";
const asksForProof = "In a browser, requires recent authentication of the administrator.";

export const personSignInOperations = operations({
  "GET /people/:id/sign_in_methods": {
    id: "getSignInMethods",
    summary: "Retrieve a person's sign-in methods",
    description: `${forAdministrators} Each list has at most 20 entries; the most recently used sessions come first.`,
    tag,
    answer: signInMethods,
    answers: "The person's sign-in methods and sessions.",
    example: {
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
    },
  },
  "POST /people/:id/sign_out": {
    id: "signOutEverywhere",
    summary: "Sign a person out everywhere",
    description: `${forAdministrators} ${asksForProof} Ends all sessions and deletes the personal access tokens and the tokens that applications hold for the person. Trusted devices must enter a code again. Passwords, passkeys, two-step verification and application consents are kept, so the person can sign in again; to prevent that, disable the person. Takes effect immediately in all processes and is recorded in the security log. An application with the client credentials grant type gets a new token with its next call.`,
    tag,
    answer: endedAccess,
    answers:
      "The number of ended sessions, deleted personal access tokens, and applications whose tokens were deleted.",
    example: { sessions: 2, tokens: 1, applications: 0 },
  },
  "DELETE /people/:id/second_factor": {
    id: "removeSecondFactor",
    summary: "Reset a person's two-step verification",
    description: `${forAdministrators} ${asksForProof} For people who lost their authenticator app and recovery codes. Also removes their passkeys.`,
    tag,
    answer: null,
  },
});
