import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  choice,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Reference: records/surveys.md, "Survey question".
// biome-ignore format: a table keeps its columns
export const surveyQuestion = record("survey_question", {
  collection: "survey_questions",
  ownedBy: ["survey"],
  display: "question",
  fields: {
    id,
    survey:               ro(ref("survey")),
    question:             req(string(128)),
    type:                 req(choice("survey_question.type")),
    guidance:             opt(text),
    position:             opt(integer({ min: 1 })),
    weight:               opt(integer({ min: 0 }), "only for rating questions"),
    disabled:             opt(boolean, byDefault(false)),
    attachments:          ro(attachments),
    guidance_attachments: wo(attachmentsOf("guidance")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "survey", "type", "question", "position", "created_at", "updated_at"],
  sort: "position",
});
