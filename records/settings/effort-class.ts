import {
  boolean,
  byDefault,
  decimal,
  enabledAndDisabled,
  id,
  integer,
  opt,
  record,
  req,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const effortClass = record("effort_class", {
  collection: "effort_classes",
  fields: {
    id,
    ...sources,
    name:            req(string(80)),
    position:        opt(integer()),
    cost_multiplier: opt(decimal, byDefault(1)),
    disabled:        opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields:   ["id", "sourceID", "name", "position", "cost_multiplier", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "disabled", "name", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "position", "created_at", "updated_at"],
  sort:            "position",
  views:           enabledAndDisabled,
  links: {
    skill_pools:        { to: "skill_pool", inverse: "effort_classes" },
    timesheet_settings: { to: "timesheet_setting", inverse: "effort_classes" },
    service_offerings:  { to: "service_offering", table: "effort_class_service_offerings" },
  },
});
