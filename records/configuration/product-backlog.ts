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

// Reference: records/agile.md, "Product backlog".
// biome-ignore format: a table keeps its columns
export const productBacklog = record("product_backlog", {
  collection: "product_backlogs",
  fields: {
    id,
    name:                    req(string(128)),
    description:             opt(text),
    product_owner:           opt(ref("person")),
    product_goal:            opt(string(255)),
    disabled:                opt(boolean, byDefault(false)),
    picture_uri:             opt(string(), picture),
    attachments:             ro(attachments),
    description_attachments: wo(attachmentsOf("description")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "name", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "created_at", "updated_at", "disabled"],
  sortable:      ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:          "name",
  views:         enabledAndDisabled,
});
