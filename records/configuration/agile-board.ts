import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  picture,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Specification, document 3, "Simple settings-style records".
// biome-ignore format: a table keeps its columns
export const agileBoard = record("agile_board", {
  collection: "agile_boards",
  fields: {
    id,
    ...sources,
    name:                    req(string(128)),
    description:             opt(text),
    description_attachments: wo(attachmentsOf("description")),
    manager:                 opt(ref("person")),
    picture_uri:             opt(string(), picture),
    current_sprint:          ro(ref("sprint"), "the active sprint of its workspace"),
    disabled:                opt(boolean, byDefault(false)),
    attachments:             ro(attachments),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "name", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "created_at", "updated_at", "disabled"],
  sortable:      ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:          "name",
  views:         enabledAndDisabled,
  children:      { agile_board_columns: { of: "agile_board_column" } },
});
