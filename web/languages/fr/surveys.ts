import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Parties de l'enquête",
  "surveys.tab.results": "Résultats",
  "surveys.tab.questions": "Questions",
  "surveys.none": "Personne n'a encore répondu",
  "surveys.noneLead": "On demande l'avis quand une demande sur un service avec cette enquête est terminée.",
  "surveys.average": "étoiles en moyenne",
  "surveys.responses": "personnes ont répondu",
  "surveys.withheld": "Moins de cinq personnes ont répondu. Les réponses sont affichées à partir de la cinquième, pour que personne ne soit reconnu.",
  "surveys.few": "trop peu pour l'afficher",
  "surveys.byMonth": "Par mois",
  "surveys.byService": "Par service",
  "surveys.distribution": "Répartition des étoiles",
  "surveys.comments": "Ce qui a été écrit",
  "surveys.answers": { one: "{count} réponse", other: "{count} réponses" },
  "surveys.stars": { one: "{count} étoile", other: "{count} étoiles" },
  "surveys.add": "Ajouter une question",
  "surveys.newQuestion": "Êtes-vous satisfait ?",
  "surveys.asked": "Posée",
  "surveys.new": "Nouvelle enquête",
  "surveys.noSurveys": "Pas encore d’enquête",
  "surveys.noSurveysLead": "Une enquête demande aux gens ce qu’ils pensent d’un service, quand une demande à son sujet est close.",
  "surveys.questions": { one: "{count} question", other: "{count} questions" },
  "surveys.unanswered": "Pas encore de réponse",
  "surveys.unused": "Non utilisée",
};
