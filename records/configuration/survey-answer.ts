import { id, record, timestamps } from "../vocabulary/index.ts";

export const surveyAnswer = record("survey_answer", {
  collection: "survey_answers",
  fields: { id, ...timestamps },
});
