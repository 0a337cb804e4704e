import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Naar de inhoud",
  "app.menu": "Menu",
  "app.navigation": "Hoofdmenu",
  "app.account": "Account",
  "app.switchAccount": "Van account wisselen",
  "app.userMenu": "Gebruikersmenu",
  "app.profile": "Profiel",
  "app.portal": "Bekijken als aanvrager",
  "app.signOut": "Uitloggen",
  "app.apiDocs": "API-referentie",
  "app.theme": "Weergave",
  "app.theme.light": "Licht",
  "app.theme.dark": "Donker",
  "app.theme.auto": "Systeem",
  "app.loading": "Laden",
  "app.arrivingWork": "Er worden voorbeeldgegevens van drie maanden geladen. De pagina’s zijn zo gevuld.",
  "app.close": "Sluiten",

  "group.work": "Werk",
  "group.people": "Personen",
  "group.configuration": "Services en borden",
  "group.settings": "Instellingen",
  "group.journal": "Audit, archief en prullenbak",


  "search.label": "Zoeken",
  "search.placeholder": "Zoeken",
  "broadcast.region": "Aankondigingen",
  "broadcast.outage": "Storing",
  "broadcast.warning": "Waarschuwing",
  "broadcast.available": "Opgelost",
  "broadcast.info": "Info",
  "broadcast.more": { one: "Nog {count}", other: "Nog {count}" },
  "broadcast.tellMe": "Laat het mij weten als het is opgelost",
  "broadcast.told": "U krijgt een melding",
  "broadcast.subscribed": "U krijgt een melding zodra dit is opgelost",
  "broadcast.close": "Bericht sluiten",
} as const satisfies Translation<typeof english>;
