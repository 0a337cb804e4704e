import { id, record, timestamps } from "../vocabulary/index.ts";

export const knowledgeArticleTranslation = record("knowledge_article_translation", {
  collection: "knowledge_article_translations",
  fields: { id, ...timestamps },
});
