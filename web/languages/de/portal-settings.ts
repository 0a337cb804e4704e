import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portal",
  "settings.portalLead": "Was Anfragende sehen: Name, Logo, Farbe, Katalog",
  "portalSettings.open": "Portal öffnen",
  "portalSettings.saved": "Gespeichert",
  "portalSettings.save": "Speichern",
  "portalSettings.name": "Name",
  "portalSettings.nameHint": "Oben im Portal; leer: der Name des Kontos",
  "portalSettings.greeting": "Text unter der Begrüßung",
  "portalSettings.greetingHint": "Ein oder zwei Sätze",
  "portalSettings.accent": "Farbe",
  "portalSettings.accentHint": "Von Schaltflächen und Links; weiße Wörter müssen darauf lesbar sein",
  "portalSettings.tooLight": "Weiße Wörter sind auf dieser Farbe nicht lesbar.",
  "portalSettings.useInstead": "Stattdessen {color} nehmen",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG oder WebP, höchstens 40 KB",
  "portalSettings.logoProblem": "Das ist kein solches Bild, oder es ist zu groß.",
  "portalSettings.chooseFile": "Datei wählen",
  "portalSettings.removeLogo": "Logo entfernen",
  "portalSettings.order": "Reihenfolge im Katalog",
  "portalSettings.up": "{label}: nach oben",
  "portalSettings.down": "{label}: nach unten",
  "portalSettings.tile.broken": "Etwas geht nicht",
  "portalSettings.tile.access": "Ich brauche Zugang",
  "portalSettings.tile.equipment": "Ich brauche ein Gerät",
  "portalSettings.tile.people": "Jemand kommt oder geht",
  "portalSettings.tile.booking": "Etwas buchen oder regeln",
  "portalSettings.tile.else": "Etwas anderes",
};
