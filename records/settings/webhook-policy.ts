import { administrators } from "../people/roles.ts";
import {
  alwaysSet,
  boolean,
  byDefault,
  choice,
  duration,
  enabledAndDisabled,
  id,
  opt,
  record,
  req,
  ro,
  shortText,
  string,
  text,
  timestamps,
  transient,
} from "../vocabulary/index.ts";

// WH4
// biome-ignore format: a table keeps its columns
export const webhookPolicy = record("webhook_policy", {
  collection: "webhook_policies",
  deletion: { deletable: true },
  access: { restricted: true, onlyRoles: administrators },
  fields: {
    id,
    name:                 ro(string(64), alwaysSet, "chosen by the service"),
    disabled:             opt(boolean, byDefault(false), "may no longer be linked to webhooks"),
    jwt_alg:              req(choice("webhook_policy.jwt_alg")),
    jwt_audience:         opt(shortText, "the aud claim"),
    jwt_claim_expires_in: opt(duration, "minutes from sending to the exp claim"),
    public_key_pem:       ro(shortText, transient, "only in the answer of the call that made the key"),
    sealed_key:           ro(text, { internal: true }),
    ...timestamps,
  },
  defaultFields:   ["id", "name", "created_at", "updated_at"],
  filterable:      ["id", "name", "created_at", "updated_at", "disabled"],
  caseInsensitive: ["name"],
  sortable:        ["created_at", "updated_at"],
  sort:            "created_at",
  views:           enabledAndDisabled,
});
