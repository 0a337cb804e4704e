import type { Tables } from "./notation.ts";

export const surveys: Tables = {
  survey: {
    collection: "surveys",
    fields: `
      id integer RO
      name string(128) Req
      introduction text Opt
      completion text Opt
      disabled boolean Opt =false
      attachments attachments RO
      introduction_attachments,completion_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id name created_at updated_at",
    filter: "id source sourceID created_at updated_at disabled name",
    sort: "id sourceID created_at updated_at",
    order: "id",
    views: "disabled enabled",
    below: "survey_questions/owned",
  },
  survey_question: {
    fields: `
      id integer RO
      survey ref(survey) RO
      question string(128) Req
      type enum Req
      guidance text Opt
      position integer Opt
      weight integer Opt
      disabled boolean Opt =false
      attachments attachments RO
      guidance_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id survey type question created_at updated_at (position)",
    order: "position",
  },
  survey_answer: {
    fields: `
      id integer RO
      survey_response ref(survey_response) RO
      survey_question ref(survey_question) Req
      rating decimal Opt
      text text Opt
      attachments attachments RO
      text_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id survey_response survey_question text rating created_at updated_at",
  },
};
