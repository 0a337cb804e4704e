import {
  attachmentsOf,
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  record,
  req,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Groups are stored with their SLAs; they cover no one.
// biome-ignore format: a table keeps its columns
export const slaCoverageGroup = record("sla_coverage_group", {
  collection: "sla_coverage_groups",
  fields: {
    id,
    ...sources,
    name:                    req(string(80)),
    description:             opt(text),
    search_phrase:           opt(string(255), "selects the people of the group"),
    disabled:                opt(boolean, byDefault(false)),
    description_attachments: wo(attachmentsOf("description")),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "created_at", "updated_at"],
  sort:          "created_at",
  views:         enabledAndDisabled,
  links:         { slas: { to: "sla", table: "sla_coverage_group_slas" } },
});
