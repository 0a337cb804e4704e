import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portal",
  "settings.portalLead": "Was Anforderer sehen: Name, Logo, Farbe, Katalog",
  "portalSettings.open": "Portal öffnen",
  "portalSettings.saved": "Gespeichert",
  "portalSettings.save": "Speichern",
  "portalSettings.name": "Name",
  "portalSettings.nameHint": "Wird oben im Portal angezeigt. Leer lassen, um den Namen des Kontos zu verwenden.",
  "portalSettings.greeting": "Text unter der Begrüßung",
  "portalSettings.greetingHint": "Ein oder zwei Sätze",
  "portalSettings.accent": "Akzentfarbe",
  "portalSettings.accentHint": "Für Schaltflächen und Links. Weißer Text muss darauf lesbar sein.",
  "portalSettings.tooLight": "Weißer Text ist auf dieser Farbe nicht lesbar. Wählen Sie eine dunklere Farbe.",
  "portalSettings.useInstead": "Stattdessen {color} verwenden",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG oder WebP, bis 40 KB",
  "portalSettings.logoProblem": "Diese Datei kann nicht verwendet werden. Wählen Sie ein PNG-, JPEG- oder WebP-Bild bis 40 KB.",
  "portalSettings.chooseFile": "Datei auswählen",
  "portalSettings.removeLogo": "Logo entfernen",
  "portalSettings.order": "Reihenfolge im Katalog",
  "portalSettings.up": "{label} nach oben",
  "portalSettings.down": "{label} nach unten",
  "portalSettings.tile.broken": "Etwas funktioniert nicht",
  "portalSettings.tile.access": "Ich brauche Zugriff",
  "portalSettings.tile.equipment": "Ich brauche Ausstattung",
  "portalSettings.tile.people": "Jemand kommt oder geht",
  "portalSettings.tile.booking": "Etwas buchen oder organisieren",
  "portalSettings.tile.else": "Etwas anderes",
};
