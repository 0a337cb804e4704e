import {
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  integer,
  opt,
  record,
  req,
  ro,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const projectTemplate = record("project_template", {
  collection: "project_templates",
  fields: {
    id,
    subject:       req(string(190)),
    disabled:      opt(boolean, byDefault(false)),
    times_applied: ro(integer(), byDefault(0)),
    ...sources,
    ...timestamps,
  },
  naturalKey:    [{ field: "subject" }],
  defaultFields: ["id", "sourceID", "subject", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "subject", "disabled", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "subject", "created_at", "updated_at", "times_applied"],
  sort:          "-id",
  views:         enabledAndDisabled,
  children: {
    phases:         { of: "project_template_phase" },
    task_templates: { of: "project_task_template_relation" },
  },
  lists: { automation_rules: { of: "automation_rule", by: "project_template" } },
});
