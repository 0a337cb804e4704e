import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Umfrageansichten",
  "surveys.tab.results": "Ergebnisse",
  "surveys.tab.questions": "Fragen",
  "surveys.none": "Noch keine Antworten",
  "surveys.noneLead": "Personen werden befragt, wenn eine Anfrage zu einem Service mit dieser Umfrage abgeschlossen wird.",
  "surveys.average": "Sterne im Durchschnitt",
  "surveys.responses": "Antworten",
  "surveys.withheld": "Bisher haben weniger als fünf Personen geantwortet. Zum Schutz der Anonymität werden einzelne Antworten ab der fünften angezeigt.",
  "surveys.few": "Zu wenige zum Anzeigen",
  "surveys.byMonth": "Nach Monat",
  "surveys.byService": "Nach Service",
  "surveys.distribution": "Verteilung der Bewertungen",
  "surveys.comments": "Kommentare",
  "surveys.answers": { one: "{count} Antwort", other: "{count} Antworten" },
  "surveys.stars": { one: "{count} Stern", other: "{count} Sterne" },
  "surveys.add": "Frage hinzufügen",
  "surveys.newQuestion": "Wie zufrieden sind Sie?",
  "surveys.asked": "Diese Frage stellen",
  "surveys.new": "Neue Umfrage",
  "surveys.noSurveys": "Noch keine Umfragen",
  "surveys.noSurveysLead": "Mit einer Umfrage bewerten Personen einen Service, wenn eine Anfrage dazu abgeschlossen wird.",
  "surveys.questions": { one: "{count} Frage", other: "{count} Fragen" },
  "surveys.unanswered": "Noch keine Antworten",
  "surveys.unused": "Wird von keinem Service verwendet",
};
