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
  "app.userMenu": "Ihr Menü",
  "app.profile": "Profil",
  "app.portal": "Ansicht für Anfragende",
  "app.signOut": "Abmelden",
  "app.apiDocs": "API-Referenz",
  "app.theme": "Darstellung",
  "app.theme.light": "Hell",
  "app.theme.dark": "Dunkel",
  "app.theme.auto": "Wie das System",
  "app.loading": "Wird geladen",
  "app.close": "Schließen",

  "group.work": "Arbeit",
  "group.people": "Personen",
  "group.configuration": "Services und Boards",
  "group.settings": "Einstellungen",
  "group.journal": "Journal",


  "search.label": "Suchen",
  "search.placeholder": "Suchen",
  "search.title": "Suche",
  "search.for": "Suche: {text}",
  "search.nothingAsked": "Was suchen Sie?",
  "search.nothingAskedLead": "Tippen Sie einige Wörter: einen Betreff, einen Namen, etwas aus einer Notiz oder eine Nummer.",
  "search.none": "Nichts gefunden für „{text}“",
  "search.noneLead": "Alle Wörter müssen vorkommen; setzen Sie | zwischen Wörter, von denen eines genügt.",
  "broadcast.region": "Meldungen",
  "broadcast.outage": "Ausfall",
  "broadcast.warning": "Warnung",
  "broadcast.available": "Behoben",
  "broadcast.info": "Info",
  "broadcast.more": { one: "{count} weitere", other: "{count} weitere" },
  "broadcast.tellMe": "Sagen Sie mir, wenn es behoben ist",
  "broadcast.told": "Sie hören von uns",
  "broadcast.subscribed": "Wir sagen Ihnen, wenn es behoben ist.",
  "broadcast.close": "Diese Meldung weglegen",
} as const satisfies Translation<typeof english>;
