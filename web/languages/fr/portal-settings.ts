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
  "portalSettings.nameHint": "Affiché en haut du portail. Laissez vide pour utiliser le nom du compte.",
  "portalSettings.greeting": "Texte sous le message d’accueil",
  "portalSettings.greetingHint": "Une ou deux phrases",
  "portalSettings.accent": "Couleur d’accentuation",
  "portalSettings.accentHint": "Utilisée pour les boutons et les liens. Un texte blanc doit y rester lisible.",
  "portalSettings.tooLight": "Un texte blanc n’est pas lisible sur cette couleur. Choisissez-en une plus foncée.",
  "portalSettings.useInstead": "Utiliser plutôt {color}",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG ou WebP, 40 Ko maximum",
  "portalSettings.logoProblem": "Ce fichier ne peut pas être utilisé. Choisissez une image PNG, JPEG ou WebP de 40 Ko maximum.",
  "portalSettings.chooseFile": "Choisir un fichier",
  "portalSettings.removeLogo": "Retirer le logo",
  "portalSettings.order": "Ordre du catalogue",
  "portalSettings.up": "Monter {label}",
  "portalSettings.down": "Descendre {label}",
  "portalSettings.tile.broken": "Quelque chose ne fonctionne pas",
  "portalSettings.tile.access": "J’ai besoin d’un accès",
  "portalSettings.tile.equipment": "J’ai besoin de matériel",
  "portalSettings.tile.people": "Une arrivée ou un départ",
  "portalSettings.tile.booking": "Réserver ou organiser",
  "portalSettings.tile.else": "Autre chose",
};
