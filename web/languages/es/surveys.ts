import type { surveys as english } from "../en/surveys.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const surveys: Translation<typeof english> = {
  "surveys.parts": "Vistas de la encuesta",
  "surveys.tab.results": "Resultados",
  "surveys.tab.questions": "Preguntas",
  "surveys.none": "Aún no hay respuestas",
  "surveys.noneLead": "Se pregunta a las personas cuando se completa una solicitud de un servicio con esta encuesta.",
  "surveys.average": "estrellas de media",
  "surveys.responses": "respuestas",
  "surveys.withheld": "Han respondido menos de cinco personas. Para proteger el anonimato, las respuestas individuales se muestran a partir de la quinta.",
  "surveys.few": "Demasiado pocas para mostrarlas",
  "surveys.byMonth": "Por mes",
  "surveys.byService": "Por servicio",
  "surveys.distribution": "Distribución de valoraciones",
  "surveys.comments": "Comentarios",
  "surveys.answers": { one: "{count} respuesta", other: "{count} respuestas" },
  "surveys.stars": { one: "{count} estrella", other: "{count} estrellas" },
  "surveys.add": "Añadir pregunta",
  "surveys.newQuestion": "¿Cuál es su grado de satisfacción?",
  "surveys.asked": "Hacer esta pregunta",
  "surveys.new": "Nueva encuesta",
  "surveys.noSurveys": "Aún no hay encuestas",
  "surveys.noSurveysLead": "Una encuesta pide a las personas que valoren un servicio cuando se completa una solicitud.",
  "surveys.questions": { one: "{count} pregunta", other: "{count} preguntas" },
  "surveys.unanswered": "Aún no hay respuestas",
  "surveys.unused": "Ningún servicio la usa",
};
