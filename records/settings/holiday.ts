import {
  id,
  laterThan,
  localDatetime,
  opt,
  picture,
  record,
  req,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const holiday = record("holiday", {
  collection: "holidays",
  fields: {
    id,
    ...sources,
    name:        req(string(80)),
    start_at:    req(localDatetime),
    end_at:      req(localDatetime, laterThan("start_at"), "exclusive: a full day ends at 00:00 of the next day"),
    picture_uri: opt(string(), picture),
    ...timestamps,
  },
  defaultFields:   ["id", "source", "sourceID", "name", "picture_uri", "start_at", "end_at", "created_at", "updated_at"],
  filterable:      ["id", "sourceID", "name", "start_at", "end_at", "created_at", "updated_at"],
  caseInsensitive: ["sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:            "name",
  links:           { calendars: { to: "calendar", inverse: "holidays" } },
});
