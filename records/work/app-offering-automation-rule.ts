import {
  choice,
  derived,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  ro,
  string,
  text,
  timestamps,
  where,
} from "../vocabulary/index.ts";

// Specification, document 2, "App offering automation rule".
// biome-ignore format: a table keeps its columns
export const appOfferingAutomationRule = record("app_offering_automation_rule", {
  collection: "app_offering_automation_rules",
  deletable: true,
  fields: {
    id,
    app_offering:     req(ref("app_offering")),
    name:             req(string(128)),
    rulable_type:     req(choice("app_offering_automation_rule.rulable_type")),
    trigger:          req(string(128), "on status update, on note added, on create, after delay, ..."),
    position:         opt(integer(), "execution order"),
    condition:        opt(text),
    actions:          opt(text),
    expressions:      opt(text),
    description:      opt(text),
    actions_html:     ro(text, derived({ rule: "actions as HTML" })),
    description_html: ro(text, derived({ rule: "description as HTML" })),
    ...timestamps,
  },
  defaultFields: ["id", "app_offering", "rulable_type", "name", "trigger", "position", "created_at", "updated_at"],
  filterable:    ["id", "app_offering", "created_at", "updated_at"],
  sortable:      ["id", "position"],
  sort:          "id",
  views: {
    for_requests: where({ rulable_type: "Req" }),
    for_tasks:    where({ rulable_type: "Task" }),
    for_cis:      where({ rulable_type: "Ci" }),
  },
});
