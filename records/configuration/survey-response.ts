import {
  boolean,
  byDefault,
  datetime,
  decimal,
  defaultNow,
  derived,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// Specification, document 3, "Simple settings-style records".
// biome-ignore format: a table keeps its columns
export const surveyResponse = record("survey_response", {
  collection: "survey_responses",
  display: "id",
  shows: ["year", "month"],
  fields: {
    id,
    ...sources,
    survey:                  req(ref("survey")),
    service:                 req(ref("service")),
    completed:               opt(boolean, byDefault(false)),
    rating:                  opt(decimal),
    rating_calculation_json: ro(string()),
    responded_at:            ro(datetime, defaultNow, "when the person started the survey"),
    year:                    ro(integer(), derived({ rule: "year of responded_at" })),
    month:                   ro(integer(), derived({ rule: "month of responded_at" })),
    disabled:                opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: ["id", "survey", "service", "year", "month", "rating", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "created_at", "updated_at", "responded_at", "survey"],
  sortable:      ["id", "sourceID", "created_at", "updated_at"],
  sort:          "id",
});
