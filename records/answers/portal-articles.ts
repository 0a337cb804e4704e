import { answer, datetime, integer, list, noted, operations, optional, string, strings } from "../vocabulary/index.ts";
import { type AnswerOf, partOf } from "./answer-of.ts";

// Knowledge articles as requesters read them, in their language where there is a translation.

const tag = "Portal";

export type PortalArticleEntry = AnswerOf<typeof portalArticleEntry>;
const portalArticleEntry = partOf("PortalArticleEntry", "knowledge_article", ["service"], { subject: string() });

export type FoundArticle = AnswerOf<typeof foundArticle>;
const foundArticle = answer("FoundArticle", { id: integer(), title: string(), details: string() });

export type PortalArticle = AnswerOf<typeof portalArticle>;
const portalArticle = partOf("PortalArticle", "knowledge_article", ["service", "attachments"], {
  subject: string(),
  description: string(),
  instructions: string(),
  updated_at: datetime,
  locale: string(),
  locales: noted("The languages the article is available in, starting with the original.", strings),
});

export const portalArticleOperations = operations({
  "GET /portal/articles": {
    id: "listPortalArticles",
    tag,
    summary: "List the knowledge articles visible to the caller",
    answer: list(portalArticleEntry),
    answers: "Up to 100 articles, sorted by subject.",
  },
  "GET /portal/articles/search": {
    id: "findPortalArticles",
    tag,
    summary: "Search knowledge articles",
    query: { text: string(500) },
    answer: list(foundArticle),
    answers: "Up to ten articles, best match first.",
  },
  "GET /portal/articles/:id": {
    id: "getPortalArticle",
    tag,
    summary: "Retrieve a knowledge article in a language",
    query: {
      locale: noted(
        "A language, such as `nl`. Default: the caller's language if a translation exists, otherwise the original.",
        optional(string()),
      ),
    },
    answer: portalArticle,
    answers: "The article.",
  },
  "POST /portal/articles/:id/views": {
    id: "countArticleView",
    tag,
    summary: "Record a view of a knowledge article",
    description: "Increments `times_viewed`. Nothing else in the article changes.",
    answer: null,
  },
});
