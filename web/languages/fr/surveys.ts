import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Vues de l’enquête",
  "surveys.tab.results": "Résultats",
  "surveys.tab.questions": "Questions",
  "surveys.none": "Aucune réponse pour l’instant",
  "surveys.noneLead": "L’enquête est envoyée quand une demande portant sur un service associé est terminée.",
  "surveys.average": "étoiles en moyenne",
  "surveys.responses": "réponses",
  "surveys.withheld": "Moins de cinq personnes ont répondu. Pour préserver l’anonymat, les réponses individuelles ne s’affichent qu’à partir de la cinquième.",
  "surveys.few": "Trop peu pour être affiché",
  "surveys.byMonth": "Par mois",
  "surveys.byService": "Par service",
  "surveys.distribution": "Répartition des notes",
  "surveys.comments": "Commentaires",
  "surveys.answers": { one: "{count} réponse", other: "{count} réponses" },
  "surveys.stars": { one: "{count} étoile", other: "{count} étoiles" },
  "surveys.add": "Ajouter une question",
  "surveys.newQuestion": "Quel est votre niveau de satisfaction ?",
  "surveys.asked": "Poser cette question",
  "surveys.new": "Nouvelle enquête",
  "surveys.noSurveys": "Aucune enquête pour l’instant",
  "surveys.noSurveysLead": "Une enquête invite les personnes à évaluer un service quand une demande à son sujet est terminée.",
  "surveys.questions": { one: "{count} question", other: "{count} questions" },
  "surveys.unanswered": "Aucune réponse pour l’instant",
  "surveys.unused": "Utilisée par aucun service",
};
