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

// Newest first by created_at.
// biome-ignore format: a table keeps its columns
export const knowledgeArticleTemplate = record("knowledge_article_template", {
  collection: "knowledge_article_templates",
  fields: {
    id,
    ...sources,
    subject:      req(string(255)),
    service:      opt(ref("service")),
    ui_extension: opt(ref("ui_extension")),
    disabled:     opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "subject", "service", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "subject", "disabled", "service", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "subject", "service", "created_at", "updated_at"],
  sort:          "-created_at",
  views:         enabledAndDisabled,
  links:         { service_instances: { to: "service_instance", table: "knowledge_article_template_service_instances" } },
  lists:         { knowledge_articles: { of: "knowledge_article", by: "template" } },
});
