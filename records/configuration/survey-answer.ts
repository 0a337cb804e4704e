import {
  alwaysSet,
  attachments,
  attachmentsOf,
  decimal,
  id,
  opt,
  record,
  ref,
  req,
  ro,
  sources,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const surveyAnswer = record("survey_answer", {
  collection: "survey_answers",
  ownedBy: ["survey_response"],
  fields: {
    id,
    survey_response:  ro(ref("survey_response"), alwaysSet),
    survey_question:  req(ref("survey_question")),
    rating:           opt(decimal, "only for star_rating questions: 20 per star"),
    text:             opt(text, "only for text questions"),
    attachments:      ro(attachments),
    text_attachments: wo(attachmentsOf("text")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "survey_response", "survey_question", "text", "rating", "created_at", "updated_at"],
  sort: "id",
  unique: [["survey_response", "survey_question"]],
});
