import { id, record, timestamps } from "../vocabulary/index.ts";

export const knowledgeArticle = record("knowledge_article", {
  collection: "knowledge_articles",
  fields: { id, ...timestamps },
});
