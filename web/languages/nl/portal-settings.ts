import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portaal",
  "settings.portalLead": "Wat aanvragers zien: naam, logo, kleur, catalogus",
  "portalSettings.open": "Het portaal openen",
  "portalSettings.saved": "Opgeslagen",
  "portalSettings.save": "Opslaan",
  "portalSettings.name": "Naam",
  "portalSettings.nameHint": "Boven aan het portaal; leeg: de naam van het account",
  "portalSettings.greeting": "Tekst onder de begroeting",
  "portalSettings.greetingHint": "Een of twee zinnen",
  "portalSettings.accent": "Kleur",
  "portalSettings.accentHint": "Van knoppen en links; witte woorden moeten erop te lezen zijn",
  "portalSettings.tooLight": "Witte woorden zijn op deze kleur niet te lezen.",
  "portalSettings.useInstead": "Gebruik {color}",
  "portalSettings.logo": "Logo",
  "portalSettings.logoHint": "PNG, JPEG of WebP, hoogstens 40 KB",
  "portalSettings.logoProblem": "Dit is geen afbeelding van die soort, of zij is te groot.",
  "portalSettings.chooseFile": "Kies een bestand",
  "portalSettings.removeLogo": "Logo verwijderen",
  "portalSettings.order": "Volgorde van de catalogus",
  "portalSettings.up": "{label}: omhoog",
  "portalSettings.down": "{label}: omlaag",
  "portalSettings.tile.broken": "Er werkt iets niet",
  "portalSettings.tile.access": "Ik heb toegang nodig",
  "portalSettings.tile.equipment": "Ik heb apparatuur nodig",
  "portalSettings.tile.people": "Iemand begint of vertrekt",
  "portalSettings.tile.booking": "Iets reserveren of regelen",
  "portalSettings.tile.else": "Iets anders",
};
