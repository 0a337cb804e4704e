import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Teile der Umfrage",
  "surveys.tab.results": "Ergebnisse",
  "surveys.tab.questions": "Fragen",
  "surveys.none": "Noch niemand hat geantwortet",
  "surveys.noneLead": "Gefragt wird, wenn eine Anfrage zu einem Service mit dieser Umfrage abgeschlossen ist.",
  "surveys.average": "Sterne im Durchschnitt",
  "surveys.responses": "Personen antworteten",
  "surveys.withheld": "Weniger als fünf Personen haben geantwortet. Einzelne Antworten werden ab der fünften gezeigt, damit niemand erkannt wird.",
  "surveys.few": "zu wenige zum Zeigen",
  "surveys.byMonth": "Nach Monat",
  "surveys.byService": "Nach Service",
  "surveys.distribution": "Verteilung der Sterne",
  "surveys.comments": "Was geschrieben wurde",
  "surveys.answers": { one: "{count} Antwort", other: "{count} Antworten" },
  "surveys.stars": { one: "{count} Stern", other: "{count} Sterne" },
  "surveys.add": "Frage hinzufügen",
  "surveys.newQuestion": "Wie zufrieden sind Sie?",
  "surveys.asked": "Wird gestellt",
  "surveys.new": "Neue Umfrage",
  "surveys.noSurveys": "Noch keine Umfragen",
  "surveys.noSurveysLead": "Eine Umfrage fragt, wie ein Service für die Menschen ist, wenn eine Anfrage dazu abgeschlossen ist.",
  "surveys.questions": { one: "{count} Frage", other: "{count} Fragen" },
  "surveys.unanswered": "Noch keine Antworten",
  "surveys.unused": "Nicht in Gebrauch",
};
