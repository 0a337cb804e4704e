import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  customFields,
  enabledAndDisabled,
  id,
  opt,
  record,
  ref,
  req,
  ro,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Reference: records/apps-and-extensions.md, "App instance". Its fields webhook and webhook_policy come with those types.
// biome-ignore format: a table keeps its columns
export const appInstance = record("app_instance", {
  collection: "app_instances",
  fields: {
    id,
    app_offering:              req(ref("app_offering")),
    customer_account:          ro(ref("account")),
    customer_representative:   opt(ref("person")),
    disabled:                  opt(boolean, byDefault(false), "disabled by the provider"),
    enabled_by_customer:       opt(boolean),
    suspended:                 opt(boolean, byDefault(false), "set by either party, the other may lift it"),
    suspension_comment:        opt(text),
    custom_fields:             opt(customFields, "from the UI extension version of the offering"),
    attachments:               ro(attachments),
    custom_fields_attachments: wo(attachmentsOf("custom_fields")),
    ...timestamps,
  },
  defaultFields: ["created_at", "id", "updated_at", "disabled", "customer_account", "app_offering", "enabled_by_customer"],
  filterable:    ["id", "created_at", "updated_at", "disabled"],
  sortable:      ["id", "created_at", "updated_at"],
  sort:          "id",
  views:         enabledAndDisabled,
  lists:         { automation_rules: { of: "automation_rule", by: "app_instance" } },
});
