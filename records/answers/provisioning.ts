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
  orNull,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";

// Provisioning by SCIM, for administrators. SCIM itself describes itself, at /scim/v2/Schemas.

const tokenMembers = {
  id: integer(),
  name: string(),
  created_at: datetime,
  last_used_at: orNull(datetime),
  expires_at: noted("a token expires 30 days after the next one is created", orNull(datetime)),
  created_by: orNull(named),
};
export const scimToken = answer("ScimToken", tokenMembers);
export const scimState = object({
  base_url: string(),
  enabled: boolean,
  tokens: list(scimToken),
  users: object({ active: integer(), inactive: integer(), failed: integer() }),
  groups: integer(),
  runs: list(
    object({
      id: integer(),
      rule_id: integer(),
      rule_name: string(),
      record_type: word("scim_user", "scim_group"),
      record_id: integer(),
      started_at: datetime,
      outcome: word("done", "not met", "failed", "dropped"),
      actions: strings,
      error: orNull(string()),
    }),
  ),
});
const exampleToken = {
  ...{ id: 3, name: "SCIM 2026-01-05", created_at: "2026-01-05T09:00:00Z", last_used_at: null, expires_at: null },
  created_by: { id: 7, name: "Ada Admin" },
};

const tag = "Provisioning";

export const provisioningOperations = operations({
  "GET /scim": {
    id: "getScim",
    summary: "Retrieve the state of directory sync",
    description:
      "Available to account administrators. Returns whether directory sync is enabled, its tokens, and the latest rule runs.",
    tag,
    answer: scimState,
    answers: "The state of directory sync.",
    example: {
      ...{ base_url: "https://desk.example.com/scim/v2", enabled: true, tokens: [exampleToken] },
      ...{ users: { active: 812, inactive: 14, failed: 0 }, groups: 31, runs: [] },
    },
  },
  "POST /scim/tokens": {
    id: "createScimToken",
    summary: "Turn on directory sync or create a new token",
    description:
      "Available to account administrators. The token is returned only in this response. Existing tokens remain valid for 30 days.",
    tag,
    status: 201,
    answer: object({ ...tokenMembers, token: string() }),
    answers: "The new token.",
    example: { ...exampleToken, token: "9f".repeat(32) },
  },
  "DELETE /scim/tokens/:id": {
    id: "deleteScimToken",
    summary: "Delete a SCIM token",
    description: "Available to account administrators. Clients that use the token are rejected from then on.",
    tag,
    answer: null,
  },
  "DELETE /scim": {
    id: "disableScim",
    summary: "Turn off directory sync",
    description: "Available to account administrators. Deletes all tokens. Users, groups and rules are kept.",
    tag,
    answer: null,
  },
  "POST /scim_users/:id/process": {
    id: "processScimUser",
    summary: "Run the automation rules for a SCIM user again",
    description: "Available to account administrators. The rules run in the background.",
    answer: null,
  },
  "POST /scim_groups/:id/process": {
    id: "processScimGroup",
    summary: "Run the automation rules for a SCIM group again",
    description: "Available to account administrators. The rules run in the background.",
    answer: null,
  },
});
