import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Zum Inhalt",
  "app.menu": "Menü",
  "app.navigation": "Hauptmenü",
  "app.account": "Konto",
  "app.switchAccount": "Konto wechseln",
  "app.userMenu": "Benutzermenü",
  "app.profile": "Profil",
  "app.portal": "Als Anforderer ansehen",
  "app.signOut": "Abmelden",
  "app.apiDocs": "API-Referenz",
  "app.theme": "Darstellung",
  "app.theme.light": "Hell",
  "app.theme.dark": "Dunkel",
  "app.theme.auto": "System",
  "app.loading": "Wird geladen",
  "app.arrivingWork": "Beispieldaten für drei Monate werden geladen. Die Seiten füllen sich gleich.",
  "app.close": "Schließen",

  "group.work": "Arbeit",
  "group.people": "Personen",
  "group.configuration": "Services und Boards",
  "group.settings": "Einstellungen",
  "group.journal": "Audit, Archiv und Papierkorb",


  "search.label": "Suchen",
  "search.placeholder": "Suchen",
  "broadcast.region": "Ankündigungen",
  "broadcast.outage": "Ausfall",
  "broadcast.warning": "Warnung",
  "broadcast.available": "Gelöst",
  "broadcast.info": "Info",
  "broadcast.more": { one: "{count} weitere", other: "{count} weitere" },
  "broadcast.tellMe": "Bei Lösung benachrichtigen",
  "broadcast.told": "Sie werden benachrichtigt",
  "broadcast.subscribed": "Sie werden benachrichtigt, sobald dies gelöst ist",
  "broadcast.close": "Meldung ausblenden",
} as const satisfies Translation<typeof english>;
