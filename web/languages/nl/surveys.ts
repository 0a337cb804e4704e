import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Delen van de enquête",
  "surveys.tab.results": "Resultaten",
  "surveys.tab.questions": "Vragen",
  "surveys.none": "Nog niemand heeft geantwoord",
  "surveys.noneLead": "Mensen worden gevraagd wanneer een aanvraag over een service met deze enquête is afgerond.",
  "surveys.average": "sterren gemiddeld",
  "surveys.responses": "mensen antwoordden",
  "surveys.withheld": "Minder dan vijf mensen antwoordden. Losse antwoorden worden vanaf het vijfde getoond, zodat niemand herkend wordt.",
  "surveys.few": "te weinig om te tonen",
  "surveys.byMonth": "Per maand",
  "surveys.byService": "Per service",
  "surveys.distribution": "Verdeling van de sterren",
  "surveys.comments": "Wat mensen schreven",
  "surveys.answers": { one: "{count} antwoord", other: "{count} antwoorden" },
  "surveys.stars": { one: "{count} ster", other: "{count} sterren" },
  "surveys.add": "Vraag toevoegen",
  "surveys.newQuestion": "Hoe tevreden bent u?",
  "surveys.asked": "Wordt gesteld",
  "surveys.new": "Nieuwe enquête",
  "surveys.noSurveys": "Nog geen enquêtes",
  "surveys.noSurveysLead": "Een enquête vraagt mensen hoe een dienst voor hen is, wanneer een verzoek daarover is voltooid.",
  "surveys.questions": { one: "{count} vraag", other: "{count} vragen" },
  "surveys.unanswered": "Nog geen antwoorden",
  "surveys.unused": "Niet in gebruik",
};
