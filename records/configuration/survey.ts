import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  enabledAndDisabled,
  id,
  opt,
  record,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Reference: records/surveys.md, "Survey".
// biome-ignore format: a table keeps its columns
export const survey = record("survey", {
  collection: "surveys",
  fields: {
    id,
    name:                     req(string(128)),
    introduction:             opt(text),
    completion:               opt(text),
    disabled:                 opt(boolean, byDefault(false)),
    attachments:              ro(attachments),
    introduction_attachments: wo(attachmentsOf("introduction")),
    completion_attachments:   wo(attachmentsOf("completion")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "name", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "created_at", "updated_at", "disabled", "name"],
  sortable:      ["id", "sourceID", "created_at", "updated_at"],
  sort:          "id",
  views:         enabledAndDisabled,
  children:      { survey_questions: { of: "survey_question" } },
});
