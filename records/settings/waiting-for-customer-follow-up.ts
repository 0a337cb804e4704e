import {
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  record,
  req,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const waitingForCustomerFollowUp = record("waiting_for_customer_follow_up", {
  collection: "waiting_for_customer_follow_ups",
  fields: {
    id,
    ...sources,
    name:          req(string(80)),
    auto_complete: opt(boolean, byDefault(false), "the request completes when the last rule fires"),
    disabled:      opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields:   ["id", "sourceID", "name", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "disabled", "name", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:            "name",
  views:           enabledAndDisabled,
  children:        { waiting_for_customer_rules: { of: "waiting_for_customer_rule" } },
});
