import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Marcar todo como leído",
  "notifications.none": "Aún no hay notificaciones",
  "notifications.noneLead": "Aquí aparecerán las menciones, asignaciones, aprobaciones y respuestas.",
  "notifications.older": "Mostrar anteriores",
  "notifications.unread": "Sin leer",
  "notifications.mute": "Silenciar este registro",
  "notifications.unmute": "Reactivar las notificaciones de este registro",
  "notifications.allow": "Notificarme en el navegador",
  "notifications.text": { by: "kind", mention: "{by} le ha mencionado en", assignment: "{by} le ha asignado", approval: "{by} ha solicitado su aprobación para", answer: "{by} ha respondido en", target: "Objetivo próximo a vencer en", team: "{by} ha asignado a su equipo", watched: "Novedades en", halted: "Avance detenido en", other: "{by} ha cambiado" },
} as const satisfies Translation<typeof english>;
