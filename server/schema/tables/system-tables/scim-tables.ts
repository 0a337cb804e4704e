import type { Schema } from "../model.ts";
import { account, identity, index, instant, moment, nullable, table } from "./words.ts";

// Tables of provisioning beside the records of users and groups.

export const scimTables: Schema = {
  tables: [
    // `is_group`: the member is a group itself
    table("scim_group_members", {
      account_id: account,
      group_id: "integer NOT NULL",
      member_id: "integer NOT NULL",
      is_group: "boolean NOT NULL",
    }),
    // one without an end per account; those before it end some time after it was made
    table("scim_tokens", {
      id: identity,
      account_id: account,
      name: "text NOT NULL",
      secret_hash: "text NOT NULL",
      created_by_id: "integer",
      created_at: moment,
      last_used_at: nullable(moment),
      expires_at: nullable(instant),
    }),
  ],
  extras: [
    index("scim_group_members_key", "scim_group_members", "(group_id, member_id)", true),
    index("scim_group_members_member_id", "scim_group_members", "(member_id, group_id)"),
    index("scim_tokens_secret_hash", "scim_tokens", "(secret_hash)", true),
    index("scim_tokens_account_id", "scim_tokens", "(account_id, id)"),
    index("scim_users_external_key", "scim_users", "(account_id, external_id) WHERE external_id IS NOT NULL", true),
    index(
      "scim_users_manager",
      "scim_users",
      "(account_id, (enterprise #>> '{manager,value}')) WHERE enterprise #>> '{manager,value}' IS NOT NULL",
    ),
    index("scim_groups_external_key", "scim_groups", "(account_id, external_id) WHERE external_id IS NOT NULL", true),
  ],
};
