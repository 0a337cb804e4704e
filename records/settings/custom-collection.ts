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

// Elements name their collection by its reference, so that is unique (docs/decisions.md, "References of custom
// collections").
// biome-ignore format: a table keeps its columns
export const customCollection = record("custom_collection", {
  collection: "custom_collections",
  fields: {
    id,
    name:                    req(string(128)),
    reference:               opt(string(128), "made from the name when it is not given"),
    description:             opt(text),
    description_attachments: wo(attachmentsOf("description")),
    picture_uri:             opt(string(), picture),
    ui_extension:            opt(ref("ui_extension"), "form of the elements"),
    disabled:                opt(boolean, byDefault(false)),
    attachments:             ro(attachments),
    ...sources,
    ...timestamps,
  },
  naturalKey:      [{ field: "reference" }],
  defaultFields:   ["id", "sourceID", "reference", "name", "description", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "disabled", "reference", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "reference"],
  sortable:        ["id", "sourceID", "reference", "created_at", "updated_at"],
  sort:            "id",
  views:           enabledAndDisabled,
  unique:          [["reference"]],
  lists:           { collection_elements: { of: "custom_collection_element", by: "custom_collection" } },
});
