import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Enquêteweergaven",
  "surveys.tab.results": "Resultaten",
  "surveys.tab.questions": "Vragen",
  "surveys.none": "Nog geen reacties",
  "surveys.noneLead": "Aanvragers krijgen de vragen zodra een aanvraag voor een service met deze enquête is afgerond.",
  "surveys.average": "sterren gemiddeld",
  "surveys.responses": "reacties",
  "surveys.withheld": "Minder dan vijf personen hebben gereageerd. Om de anonimiteit te waarborgen worden losse reacties pas vanaf de vijfde getoond.",
  "surveys.few": "Te weinig om te tonen",
  "surveys.byMonth": "Per maand",
  "surveys.byService": "Per service",
  "surveys.distribution": "Verdeling van beoordelingen",
  "surveys.comments": "Opmerkingen",
  "surveys.answers": { one: "{count} reactie", other: "{count} reacties" },
  "surveys.stars": { one: "{count} ster", other: "{count} sterren" },
  "surveys.add": "Vraag toevoegen",
  "surveys.newQuestion": "Hoe tevreden bent u?",
  "surveys.asked": "Deze vraag stellen",
  "surveys.new": "Nieuwe enquête",
  "surveys.noSurveys": "Nog geen enquêtes",
  "surveys.noSurveysLead": "Met een enquête beoordelen aanvragers een service zodra een aanvraag ervoor is afgerond.",
  "surveys.questions": { one: "{count} vraag", other: "{count} vragen" },
  "surveys.unanswered": "Nog geen reacties",
  "surveys.unused": "Bij geen enkele service in gebruik",
};
