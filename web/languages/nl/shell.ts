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
  "app.userMenu": "Jouw menu",
  "app.profile": "Profiel",
  "app.portal": "Bekijken als aanvrager",
  "app.signOut": "Afmelden",
  "app.apiDocs": "API-referentie",
  "app.theme": "Weergave",
  "app.theme.light": "Licht",
  "app.theme.dark": "Donker",
  "app.theme.auto": "Zoals het systeem",
  "app.loading": "Laden",
  "app.close": "Sluiten",

  "group.work": "Werk",
  "group.people": "Mensen",
  "group.configuration": "Services en borden",
  "group.settings": "Instellingen",
  "group.journal": "Journaal",


  "search.label": "Zoeken",
  "search.placeholder": "Zoeken",
  "search.title": "Zoeken",
  "search.for": "Zoeken: {text}",
  "search.nothingAsked": "Wat zoek je?",
  "search.nothingAskedLead": "Typ enkele woorden: een onderwerp, een naam, iets uit een notitie of een nummer.",
  "search.none": "Niets gevonden voor “{text}”",
  "search.noneLead": "Alle woorden moeten voorkomen; zet | tussen woorden waarvan er één genoeg is.",
  "broadcast.region": "Nieuws",
  "broadcast.outage": "Storing",
  "broadcast.warning": "Waarschuwing",
  "broadcast.available": "Opgelost",
  "broadcast.info": "Info",
  "broadcast.more": { one: "Nog {count}", other: "Nog {count}" },
  "broadcast.tellMe": "Laat me weten wanneer het is opgelost",
  "broadcast.told": "U hoort van ons",
  "broadcast.subscribed": "We laten u weten wanneer het is opgelost.",
  "broadcast.close": "Dit bericht weghalen",
} as const satisfies Translation<typeof english>;
