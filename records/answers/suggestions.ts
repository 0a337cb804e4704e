import { answer, integer, list, noted, operations, optional, string, strings } from "../vocabulary/index.ts";
import { type AnswerOf, partOf } from "./answer-of.ts";
import { portalRequest } from "./portal.ts";

// Suggestions while a request is written.

export type SuggestedService = AnswerOf<typeof suggestedService>;
const suggestedService = partOf("SuggestedService", "service_instance", ["service", "support_team"], {
  name: string(),
});
export type SuggestedTemplate = AnswerOf<typeof suggestedTemplate>;
const suggestedTemplate = partOf(
  "SuggestedTemplate",
  "request_template",
  ["category", "impact", "service", "team", "times_applied"],
  { subject: string() },
);
export type SuggestedArticle = AnswerOf<typeof suggestedArticle>;
const suggestedArticle = partOf("SuggestedArticle", "knowledge_article", ["service", "times_applied"], {
  subject: string(),
  description: noted("The first 200 characters of the text.", string()),
});

export type Suggestions = AnswerOf<typeof suggestions>;
const suggestions = answer("Suggestions", {
  services: noted("Suggested service instances.", list(suggestedService)),
  templates: list(suggestedTemplate),
  articles: list(suggestedArticle),
  similar: noted("Similar open requests of the last two weeks.", list(portalRequest)),
});

export const suggestionOperations = operations({
  "GET /suggestions": {
    id: "getRequestSuggestions",
    tag: "Requests",
    summary: "Suggest values, articles and duplicates for a new request",
    query: {
      text: noted("The text entered so far.", optional(string(500))),
      for: noted("The id of the person the request is for.", optional(integer())),
    },
    answer: suggestions,
    answers: "Up to five suggestions of each kind, best match first.",
  },
  "GET /tags": {
    id: "listTagNames",
    summary: "List tags by prefix",
    query: { text: optional(string(128)) },
    answer: strings,
    answers: "Up to 20 names in alphabetical order.",
  },
});
