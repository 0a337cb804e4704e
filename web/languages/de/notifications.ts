import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Alle als gelesen markieren",
  "notifications.none": "Nichts Neues für Sie",
  "notifications.noneLead": "Erwähnungen, Zuweisungen, Genehmigungen und Antworten erscheinen hier.",
  "notifications.older": "Ältere zeigen",
  "notifications.unread": "Ungelesen",
  "notifications.mute": "Diesen Datensatz stummschalten",
  "notifications.unmute": "Wieder von diesem Datensatz hören",
  "notifications.allow": "Auch melden, wenn ich weg bin",
  "notifications.text": { by: "kind", mention: "{by} hat Sie erwähnt in", assignment: "{by} hat Ihnen zugewiesen", approval: "{by} bittet um Ihre Genehmigung für", answer: "{by} schrieb zu", target: "Ein Ziel rückt näher für", team: "{by} hat Ihrem Team zugewiesen", watched: "Neues zu", halted: "Die Arbeit steht bei", other: "{by} änderte" },
} as const satisfies Translation<typeof english>;
