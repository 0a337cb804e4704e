import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Tout marquer comme lu",
  "notifications.none": "Rien de nouveau pour vous",
  "notifications.noneLead": "Les mentions, attributions, approbations et réponses apparaissent ici.",
  "notifications.older": "Afficher les plus anciennes",
  "notifications.unread": "Non lu",
  "notifications.mute": "Mettre cette fiche en sourdine",
  "notifications.unmute": "Être à nouveau averti de cette fiche",
  "notifications.allow": "M’avertir aussi en mon absence",
  "notifications.text": { by: "kind", mention: "{by} vous a mentionné dans", assignment: "{by} vous a attribué", approval: "{by} demande votre approbation pour", answer: "{by} a écrit à propos de", target: "Un objectif approche pour", team: "{by} a attribué à votre équipe", watched: "Du nouveau sur", halted: "Le travail est arrêté sur", other: "{by} a modifié" },
} as const satisfies Translation<typeof english>;
