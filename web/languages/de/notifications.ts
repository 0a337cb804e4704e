import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Alle als gelesen markieren",
  "notifications.none": "Noch keine Benachrichtigungen",
  "notifications.noneLead": "Erwähnungen, Zuweisungen, Genehmigungen und Antworten erscheinen hier.",
  "notifications.older": "Ältere anzeigen",
  "notifications.unread": "Ungelesen",
  "notifications.mute": "Datensatz stummschalten",
  "notifications.unmute": "Stummschaltung aufheben",
  "notifications.allow": "Im Browser benachrichtigen",
  "notifications.text": { by: "kind", mention: "{by} hat Sie erwähnt:", assignment: "{by} hat Ihnen zugewiesen:", approval: "{by} bittet um Ihre Genehmigung:", answer: "{by} hat geantwortet:", target: "Ziel bald fällig:", team: "{by} hat Ihrem Team zugewiesen:", watched: "Neue Aktivität:", halted: "Fortschritt angehalten:", other: "{by} hat geändert:" },
} as const satisfies Translation<typeof english>;
