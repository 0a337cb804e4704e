import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Aller au contenu",
  "app.menu": "Menu",
  "app.navigation": "Principal",
  "app.account": "Compte",
  "app.switchAccount": "Changer de compte",
  "app.userMenu": "Votre menu",
  "app.profile": "Profil",
  "app.portal": "Voir comme demandeur",
  "app.signOut": "Se déconnecter",
  "app.apiDocs": "Référence de l’API",
  "app.theme": "Apparence",
  "app.theme.light": "Clair",
  "app.theme.dark": "Sombre",
  "app.theme.auto": "Comme le système",
  "app.loading": "Chargement",
  "app.close": "Fermer",

  "group.work": "Travail",
  "group.people": "Personnes",
  "group.configuration": "Services et tableaux",
  "group.settings": "Paramètres",
  "group.journal": "Journal",


  "search.label": "Rechercher",
  "search.placeholder": "Rechercher",
  "search.title": "Recherche",
  "search.for": "Recherche : {text}",
  "search.nothingAsked": "Que cherchez-vous ?",
  "search.nothingAskedLead": "Tapez quelques mots : un sujet, un nom, un extrait de note ou un numéro.",
  "search.none": "Rien trouvé pour « {text} »",
  "search.noneLead": "Tous les mots doivent y être ; mettez | entre les mots dont un seul suffit.",
  "broadcast.region": "Annonces",
  "broadcast.outage": "Panne",
  "broadcast.warning": "Attention",
  "broadcast.available": "Résolu",
  "broadcast.info": "Info",
  "broadcast.more": { one: "{count} de plus", other: "{count} de plus" },
  "broadcast.tellMe": "Me prévenir quand c'est résolu",
  "broadcast.told": "Nous vous préviendrons",
  "broadcast.subscribed": "Nous vous préviendrons quand c'est résolu.",
  "broadcast.close": "Masquer ce message",
} as const satisfies Translation<typeof english>;
