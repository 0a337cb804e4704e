import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of article-routes.ts for the OpenAPI document.

const feedback: Schema = {
  type: "object",
  properties: {
    useful: { type: "integer", minimum: 0, description: "People whom the article helped." },
    outdated: {
      type: "integer",
      minimum: 0,
      description: "People who said that it is out of date since it was changed.",
    },
    mine: { type: ["string", "null"], enum: ["useful", "outdated", null] },
    comments: {
      type: "array",
      description: "For those who may change the article; empty for all others.",
      items: {
        type: "object",
        properties: {
          person: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
          mark: { type: "string", enum: ["useful", "outdated"] },
          note: { type: "string" },
          created_at: { type: "string", format: "date-time" },
        },
      },
    },
  },
};

export function articleOperations(context: OpenApiContext): ApiOperations {
  const requestBody = (note: string) =>
    buildJsonBody({ type: "object", properties: { note: { type: "string", maxLength: 2000 } } }, { note });
  const responses = () => ({ 204: buildNoContentResponse(context) });
  return [
    [
      "POST /knowledge_articles/:id/useful",
      () => ({
        operationId: "markArticleUseful",
        summary: "Say that a knowledge article helped",
        description: "Everybody who reads the article has one mark; the latest counts. A note goes to the author.",
        requestBody: requestBody("The third step did it."),
        responses: responses(),
      }),
    ],
    [
      "POST /knowledge_articles/:id/outdated",
      () => ({
        operationId: "markArticleOutdated",
        summary: "Say that a knowledge article is out of date",
        description: "The author is told. The mark counts until the article is changed.",
        requestBody: requestBody("The menu has another name by now."),
        responses: responses(),
      }),
    ],
    [
      "GET /knowledge_articles/:id/feedback",
      () => ({
        operationId: "getFeedbackOnArticle",
        summary: "Read what readers say of a knowledge article",
        responses: {
          200: buildJsonResponse(
            context,
            "How many said what, and what they wrote.",
            context.components.ref("schemas", "ArticleFeedback", () => feedback),
            { useful: 12, outdated: 1, mine: "useful", comments: [] },
          ),
        },
      }),
    ],
  ];
}
