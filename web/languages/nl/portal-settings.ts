import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portaal",
  "settings.portalLead": "Wat aanvragers zien: naam, logo, kleur, catalogus",
  "portalSettings.open": "Portaal openen",
  "portalSettings.saved": "Opgeslagen",
  "portalSettings.save": "Opslaan",
  "portalSettings.name": "Naam",
  "portalSettings.nameHint": "Staat boven aan het portaal. Laat leeg om de naam van het account te gebruiken.",
  "portalSettings.greeting": "Tekst onder de begroeting",
  "portalSettings.greetingHint": "Eén of twee zinnen",
  "portalSettings.accent": "Accentkleur",
  "portalSettings.accentHint": "Voor knoppen en links. Witte tekst moet erop leesbaar zijn.",
  "portalSettings.tooLight": "Witte tekst is op deze kleur niet leesbaar. Kies een donkerdere kleur.",
  "portalSettings.useInstead": "{color} gebruiken",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG of WebP, maximaal 40 KB",
  "portalSettings.logoProblem": "Dit bestand kan niet worden gebruikt. Kies een PNG-, JPEG- of WebP-afbeelding van maximaal 40 KB.",
  "portalSettings.chooseFile": "Bestand kiezen",
  "portalSettings.removeLogo": "Logo verwijderen",
  "portalSettings.order": "Volgorde van de catalogus",
  "portalSettings.up": "{label} omhoog",
  "portalSettings.down": "{label} omlaag",
  "portalSettings.tile.broken": "Er werkt iets niet",
  "portalSettings.tile.access": "Ik heb toegang nodig",
  "portalSettings.tile.equipment": "Ik heb apparatuur nodig",
  "portalSettings.tile.people": "Iemand in of uit dienst",
  "portalSettings.tile.booking": "Iets reserveren of regelen",
  "portalSettings.tile.else": "Iets anders",
};
