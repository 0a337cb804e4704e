import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Alles als gelezen markeren",
  "notifications.none": "Niets nieuws voor jou",
  "notifications.noneLead": "Vermeldingen, toewijzingen, goedkeuringen en antwoorden verschijnen hier.",
  "notifications.older": "Oudere tonen",
  "notifications.unread": "Ongelezen",
  "notifications.mute": "Dit record dempen",
  "notifications.unmute": "Weer over dit record horen",
  "notifications.allow": "Ook melden als ik weg ben",
  "notifications.text": { by: "kind", mention: "{by} noemde je in", assignment: "{by} wees je toe", approval: "{by} vraagt je goedkeuring voor", answer: "{by} schreef over", target: "Een doel nadert voor", team: "{by} gaf je team", watched: "Nieuws over", halted: "Het werk ligt stil aan", other: "{by} wijzigde" },
} as const satisfies Translation<typeof english>;
