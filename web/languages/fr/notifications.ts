import type { notifications as english } from "../en/notifications.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Tout marquer comme lu",
  "notifications.none": "Aucune notification pour l’instant",
  "notifications.noneLead": "Les mentions, attributions, approbations et réponses apparaîtront ici.",
  "notifications.older": "Afficher les plus anciennes",
  "notifications.unread": "Non lue",
  "notifications.mute": "Désactiver les notifications de cette fiche",
  "notifications.unmute": "Réactiver les notifications de cette fiche",
  "notifications.allow": "Me notifier dans le navigateur",
  "notifications.text": { by: "kind", mention: "{by} vous mentionne dans", assignment: "{by} vous a attribué", approval: "{by} demande votre approbation pour", answer: "{by} a répondu à", target: "Objectif bientôt à échéance pour", team: "{by} a attribué à votre équipe", watched: "Nouvelle activité sur", halted: "Avancement interrompu sur", other: "{by} a modifié" },
} as const satisfies Translation<typeof english>;
