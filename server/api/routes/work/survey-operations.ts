import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of survey-routes.ts for the OpenAPI document.

const count: Schema = { type: "integer", minimum: 0 };
const average: Schema = { type: ["number", "null"], description: "One to five stars; null: too few answers." };
const group = (properties: Record<string, Schema>): Schema => ({
  type: "array",
  items: { type: "object", properties: { ...properties, count, average } },
});

const results: Schema = {
  type: "object",
  properties: {
    responses: count,
    average,
    months: group({ month: { type: "string", description: "Such as 2031-02, ascending." } }),
    services: group({ id: { type: "integer" }, name: { type: "string" } }),
    questions: group({
      id: { type: "integer" },
      question: { type: "string" },
      type: { type: "string", description: "A value of enumeration `survey_question.type`." },
      weight: { type: ["integer", "null"] },
      distribution: {
        type: ["array", "null"],
        items: count,
        description: "Answers with one to five stars; null: too few answers, or a question about words.",
      },
    }),
    comments: {
      type: "array",
      description: "The latest texts, without names.",
      items: {
        type: "object",
        properties: {
          question: { type: "integer" },
          text: { type: "string" },
          service: { type: "string" },
          month: { type: "string" },
        },
      },
    },
    is_withheld: { type: "boolean", description: "Fewer than five people answered: single answers are not shown." },
  },
};

const overview: Schema = {
  type: "array",
  items: {
    type: "object",
    properties: { survey: { type: "integer", description: "Its id." }, questions: count, responses: count, average },
  },
};

export const surveyOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /surveys/results",
    () => ({
      operationId: "getResultsOfSurveys",
      summary: "Read how many people answered each survey",
      description: "Questions, responses and the average of every survey. For those who may read all survey responses.",
      responses: {
        200: buildJsonResponse(
          context,
          "One entry for each survey.",
          context.components.ref("schemas", "SurveyOverview", () => overview),
          undefined,
        ),
      },
    }),
  ],
  [
    "GET /surveys/:id/results",
    () => ({
      operationId: "getResultsOfSurvey",
      summary: "Read what people answered to a survey",
      description: "Ratings by month, by service and by question. For those who may read all survey responses.",
      responses: {
        200: buildJsonResponse(
          context,
          "The results of the completed responses.",
          context.components.ref("schemas", "SurveyResults", () => results),
          undefined,
        ),
      },
    }),
  ],
];
