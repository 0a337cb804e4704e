import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  derived,
  id,
  integer,
  opt,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// The table that project categories, risk severities, project risk levels, closure codes and workflow types share, and
// RFC types without the description.
// biome-ignore format: a table keeps its columns
export const categoryTable = {
  fields: {
    id,
    ...sources,
    name:                    req(string(128)),
    description:             opt(string(255)),
    information:             opt(text),
    information_attachments: wo(attachmentsOf("information")),
    position:                opt(integer()),
    reference:               ro(string(128), derived({ slugOf: "name" })),
    disabled:                opt(boolean, byDefault(false)),
    attachments:             ro(attachments),
    ...timestamps,
  },
  defaultFields:   ["id", "sourceID", "reference", "name", "description", "position", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "disabled", "reference", "name", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "reference", "name"],
  sortable:        ["id", "sourceID", "reference", "name", "position", "created_at", "updated_at"],
  sort:            "id",
} as const;
