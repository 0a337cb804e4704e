import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Marcar todo como leído",
  "notifications.none": "Nada nuevo para ti",
  "notifications.noneLead": "Aquí aparecen menciones, asignaciones, aprobaciones y respuestas.",
  "notifications.older": "Mostrar más antiguas",
  "notifications.unread": "No leído",
  "notifications.mute": "Silenciar este registro",
  "notifications.unmute": "Volver a saber de este registro",
  "notifications.allow": "Avisarme también cuando no estoy",
  "notifications.text": { by: "kind", mention: "{by} te mencionó en", assignment: "{by} te asignó", approval: "{by} pide tu aprobación para", answer: "{by} escribió sobre", target: "Se acerca un objetivo de", team: "{by} asignó a tu equipo", watched: "Novedades sobre", halted: "El trabajo está parado en", other: "{by} cambió" },
} as const satisfies Translation<typeof english>;
