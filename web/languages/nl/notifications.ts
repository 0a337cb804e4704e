import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Alles als gelezen markeren",
  "notifications.none": "Nog geen meldingen",
  "notifications.noneLead": "Vermeldingen, toewijzingen, goedkeuringen en antwoorden verschijnen hier.",
  "notifications.older": "Oudere tonen",
  "notifications.unread": "Ongelezen",
  "notifications.mute": "Dit record dempen",
  "notifications.unmute": "Dit record niet meer dempen",
  "notifications.allow": "Meldingen in de browser tonen",
  "notifications.text": { by: "kind", mention: "{by} heeft u vermeld in", assignment: "{by} heeft u toegewezen aan", approval: "{by} vraagt uw goedkeuring voor", answer: "{by} heeft geantwoord op", target: "Doel verstrijkt binnenkort voor", team: "{by} heeft uw team toegewezen aan", watched: "Nieuwe activiteit bij", halted: "Voortgang gestopt bij", other: "{by} wijzigde" },
} as const satisfies Translation<typeof english>;
