import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portail",
  "settings.portalLead": "Ce que voient les demandeurs : nom, logo, couleur, catalogue",
  "portalSettings.open": "Ouvrir le portail",
  "portalSettings.saved": "Enregistré",
  "portalSettings.save": "Enregistrer",
  "portalSettings.name": "Nom",
  "portalSettings.nameHint": "En haut du portail ; vide : le nom du compte",
  "portalSettings.greeting": "Texte sous la salutation",
  "portalSettings.greetingHint": "Une ou deux phrases",
  "portalSettings.accent": "Couleur",
  "portalSettings.accentHint": "Des boutons et des liens ; des mots blancs doivent y être lisibles",
  "portalSettings.tooLight": "Des mots blancs ne sont pas lisibles sur cette couleur.",
  "portalSettings.useInstead": "Prendre plutôt {color}",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG ou WebP, 40 Ko au plus",
  "portalSettings.logoProblem": "Ce n'est pas une telle image, ou elle est trop grande.",
  "portalSettings.chooseFile": "Choisir un fichier",
  "portalSettings.removeLogo": "Retirer le logo",
  "portalSettings.order": "Ordre du catalogue",
  "portalSettings.up": "{label} : vers le haut",
  "portalSettings.down": "{label} : vers le bas",
  "portalSettings.tile.broken": "Quelque chose ne marche pas",
  "portalSettings.tile.access": "J'ai besoin d'un accès",
  "portalSettings.tile.equipment": "J'ai besoin de matériel",
  "portalSettings.tile.people": "Quelqu'un arrive ou part",
  "portalSettings.tile.booking": "Réserver ou organiser",
  "portalSettings.tile.else": "Autre chose",
};
