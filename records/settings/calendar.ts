import {
  aggregated,
  any,
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
  thisRecord,
  timestamps,
  where,
} from "../vocabulary/index.ts";

/** what a service offering uses calendars for */
const offeringCalendarFields = [
  "service_hours",
  ...["top", "high", "medium", "low", "rfc", "rfi", "case"].map((kind) => `support_hours_${kind}`),
];

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
  lists: {
    service_offerings: { of: "service_offering", where: any(...offeringCalendarFields.map((use) => where({ [use]: thisRecord }))) },
    teams:             { of: "team", by: "work_hours" },
  },
});
