import { attachments, id, language, record, ref, ro, string, text, timestamps } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const knowledgeArticleTranslation = record("knowledge_article_translation", {
  collection: "knowledge_article_translations",
  ownedBy: ["knowledge_article"],
  display: "subject",
  fields: {
    id,
    knowledge_article: ro(ref("knowledge_article"), { internal: true }),
    locale:            ro(language, "unique within the article"),
    subject:           ro(string(255)),
    description:       ro(text),
    instructions:      ro(text),
    attachments:       ro(attachments),
    ...timestamps,
  },
  defaultFields: ["id", "locale", "created_at", "updated_at"],
  sort: "-created_at",
  unique: [["knowledge_article", "locale"]],
});
