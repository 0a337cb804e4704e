import {
  alwaysSet,
  attachments,
  id,
  language,
  record,
  ref,
  req,
  ro,
  string,
  text,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const knowledgeArticleTranslation = record("knowledge_article_translation", {
  collection: "knowledge_article_translations",
  ownedBy: ["knowledge_article"],
  display: "subject",
  fields: {
    id,
    knowledge_article: ro(ref("knowledge_article"), alwaysSet, { internal: true }),
    locale:            req(language, "unique within the article"),
    subject:           req(string(255)),
    description:       req(text),
    instructions:      req(text),
    attachments:       ro(attachments),
    ...timestamps,
  },
  defaultFields: ["id", "locale", "created_at", "updated_at"],
  searchable: ["subject", "description", "instructions"],
  sort: "-created_at",
  unique: [["knowledge_article", "locale"]],
});
