import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { surveyOverview } from "../../records/answers/feedback.ts";
import type { surveyQuestion } from "../../records/configuration/survey-question.ts";
import type { RecordOf } from "../../records/vocabulary/rows.ts";
import type { Api } from "../api/index.ts";
import { changesOfRecord, changesOfTypes } from "./change-rules.ts";

type Results = AnswerOf<typeof surveyOverview>;

async function loadOverview(api: Api) {
  const [surveys, results, services] = await Promise.all([
    api.list("survey", { fields: ["name", "disabled"], per_page: "100" }),
    // People who may not read the answers see the surveys without them.
    api.call("GET /surveys/results", {}).catch((): Results => []),
    api.list("service", { fields: ["name", "localized_name", "survey"], per_page: "100" }),
  ]);
  return { surveys: surveys.rows, results, services: services.rows };
}
export type SurveyOverview = Awaited<ReturnType<typeof loadOverview>>;

const questionFields = ["question", "type", "guidance", "weight", "position", "disabled"] as const;
export type SurveyQuestion = Pick<RecordOf<typeof surveyQuestion>, "id" | (typeof questionFields)[number]>;

export const surveyQueries = {
  /** All surveys with their results and services. */
  overview: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "list", "/surveys", "overview"],
      queryFn: () => loadOverview(api),
      meta: { changedBy: changesOfTypes("survey") },
    }),
  questions: (api: Api, id: number | string) => {
    const at = `/surveys/${encodeURIComponent(id)}/survey_questions`;
    return queryOptions({
      queryKey: [api.account, "list", at],
      queryFn: async (): Promise<readonly SurveyQuestion[]> =>
        (await api.list("survey_question", { at, fields: questionFields, per_page: "100" })).rows,
      meta: { changedBy: changesOfRecord("survey", id) },
    });
  },
  results: (api: Api, id: number) =>
    queryOptions({
      queryKey: [api.account, "list", `/surveys/${id}/results`],
      queryFn: () => api.call("GET /surveys/:id/results", { id }),
      meta: { changedBy: changesOfRecord("survey", id) },
    }),
};
