import {
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  record,
  ref,
  req,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// Specification, document 3, "Simple settings-style records". Its default order names start_at, which the record
// does not have: newest first by id (docs/decisions.md, "Order of knowledge article templates").
// biome-ignore format: a table keeps its columns
export const knowledgeArticleTemplate = record("knowledge_article_template", {
  collection: "knowledge_article_templates",
  fields: {
    id,
    ...sources,
    subject:  req(string(255)),
    service:  opt(ref("service")),
    disabled: opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "subject", "service", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "subject", "disabled", "service", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "subject", "service", "created_at", "updated_at"],
  sort:          "-id",
  views:         enabledAndDisabled,
});
