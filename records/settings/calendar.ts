import {
  aggregated,
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  record,
  req,
  ro,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// Reference: records/calendars.md, "Calendar".
// biome-ignore format: a table keeps its columns
export const calendar = record("calendar", {
  collection: "calendars",
  fields: {
    id,
    ...sources,
    name:           req(string(80)),
    disabled:       opt(boolean, byDefault(false)),
    calendar_hours: ro(aggregated("calendar_hour")),
    ...timestamps,
  },
  defaultFields:   ["id", "source", "sourceID", "name", "calendar_hours", "created_at", "updated_at"],
  filterable:      ["id", "sourceID", "name", "disabled", "created_at", "updated_at"],
  caseInsensitive: ["sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:            "name",
  views:           enabledAndDisabled,
  children:        { calendar_hours: { of: "calendar_hour" } },
  links:           { holidays: { to: "holiday", table: "calendar_holidays" } },
  lists:           { teams: { of: "team", by: "work_hours" } },
});
