import {
  attachmentsOf,
  boolean,
  byDefault,
  choice,
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

// biome-ignore format: a table keeps its columns
export const pdfDesign = record("pdf_design", {
  collection: "pdf_designs",
  fields: {
    id,
    name:                    req(string(128)),
    category:                req(choice("pdf_design.category")),
    description:             opt(text),
    description_attachments: wo(attachmentsOf("description")),
    html:                    opt(text),
    css:                     opt(text),
    disabled:                opt(boolean, byDefault(false)),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "category", "created_at", "name", "disabled", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "disabled", "category"],
  sortable:      ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:          "created_at",
});
