import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Partes de la encuesta",
  "surveys.tab.results": "Resultados",
  "surveys.tab.questions": "Preguntas",
  "surveys.none": "Nadie ha respondido aún",
  "surveys.noneLead": "Se pregunta cuando se completa una solicitud de un servicio con esta encuesta.",
  "surveys.average": "estrellas de media",
  "surveys.responses": "personas respondieron",
  "surveys.withheld": "Respondieron menos de cinco personas. Las respuestas se muestran a partir de la quinta, para que no se reconozca a nadie.",
  "surveys.few": "muy pocas para mostrar",
  "surveys.byMonth": "Por mes",
  "surveys.byService": "Por servicio",
  "surveys.distribution": "Reparto de estrellas",
  "surveys.comments": "Lo que se escribió",
  "surveys.answers": { one: "{count} respuesta", other: "{count} respuestas" },
  "surveys.stars": { one: "{count} estrella", other: "{count} estrellas" },
  "surveys.add": "Añadir una pregunta",
  "surveys.newQuestion": "¿Está satisfecho?",
  "surveys.asked": "Se pregunta",
  "surveys.new": "Nueva encuesta",
  "surveys.noSurveys": "Aún no hay encuestas",
  "surveys.noSurveysLead": "Una encuesta pregunta a las personas qué les parece un servicio, cuando se completa una solicitud sobre él.",
  "surveys.questions": { one: "{count} pregunta", other: "{count} preguntas" },
  "surveys.unanswered": "Aún sin respuestas",
  "surveys.unused": "Sin uso",
};
