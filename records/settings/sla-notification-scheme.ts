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
export const slaNotificationScheme = record("sla_notification_scheme", {
  collection: "sla_notification_schemes",
  fields: {
    id,
    ...sources,
    name:          req(string(80)),
    disabled:      opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields:   ["id", "sourceID", "name", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "disabled", "name", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:            "name",
  views:           enabledAndDisabled,
  children:        { sla_notification_rules: { of: "sla_notification_rule" } },
});
