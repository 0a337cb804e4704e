import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Aller au contenu",
  "app.menu": "Menu",
  "app.navigation": "Navigation principale",
  "app.account": "Compte",
  "app.switchAccount": "Changer de compte",
  "app.userMenu": "Menu utilisateur",
  "app.profile": "Profil",
  "app.portal": "Voir en tant que demandeur",
  "app.signOut": "Se déconnecter",
  "app.apiDocs": "Référence de l’API",
  "app.theme": "Apparence",
  "app.theme.light": "Clair",
  "app.theme.dark": "Sombre",
  "app.theme.auto": "Système",
  "app.loading": "Chargement",
  "app.arrivingWork": "Chargement de trois mois de données d’exemple. Les pages se rempliront dans un instant.",
  "app.close": "Fermer",

  "group.work": "Travail",
  "group.people": "Personnes",
  "group.configuration": "Services et tableaux",
  "group.settings": "Paramètres",
  "group.journal": "Audit, archive et corbeille",


  "search.label": "Rechercher",
  "search.placeholder": "Rechercher",
  "broadcast.region": "Annonces",
  "broadcast.outage": "Panne",
  "broadcast.warning": "Attention",
  "broadcast.available": "Résolu",
  "broadcast.info": "Info",
  "broadcast.more": { one: "{count} de plus", other: "{count} de plus" },
  "broadcast.tellMe": "Me notifier de la résolution",
  "broadcast.told": "Vous recevrez une notification",
  "broadcast.subscribed": "Vous recevrez une notification dès que ce sera résolu",
  "broadcast.close": "Masquer ce message",
} as const satisfies Translation<typeof english>;
