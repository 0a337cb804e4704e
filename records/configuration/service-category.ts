import {
  attachments,
  attachmentsOf,
  fallsBackTo,
  id,
  opt,
  picture,
  record,
  refs,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Reference: records/services-and-slas.md, "Service category".
// biome-ignore format: a table keeps its columns
export const serviceCategory = record("service_category", {
  collection: "service_categories",
  deletable: true,
  fields: {
    id,
    ...sources,
    name:                    req(string(128)),
    description:             opt(text),
    localized_name:          ro(string(255), fallsBackTo("name")),
    localized_description:   ro(text, fallsBackTo("description")),
    services:                ro(refs("service"), "the services linked to it"),
    picture_uri:             opt(string(), picture),
    attachments:             ro(attachments),
    description_attachments: wo(attachmentsOf("description")),
    ...timestamps,
  },
  defaultFields:   ["id", "sourceID", "name", "localized_name", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "name", "created_at", "updated_at"],
  caseInsensitive: ["source", "sourceID", "name"],
  sortable:        ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:            "name",
  links:           { services: { to: "service", by: "service_category" } },
});
