import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Layout",
  "layout.table": "Tabelle",
  "layout.board": "Board nach Status",
  "layout.calendar": "Kalender",
  "board.move": "Verschieben nach",
  "board.card": "Aktionen für {name}",
  "board.empty": "Karten hier ablegen",
  "board.moved": "{name} nach {status} verschoben",
  "board.more": "Mehr anzeigen ({count} von {total})",
  "board.keys": "Mit Umschalt und einer Pfeiltaste verschieben Sie die Karte zum nächsten Status.",
  "calendar.previous": "Vorheriger Monat",
  "calendar.next": "Nächster Monat",
  "calendar.today": "Heute",
  "calendar.by": "Datumsfeld",
  "calendar.more": "{count} weitere",
  "calendar.empty": "Keine Datensätze in diesem Monat",
  "calendar.cut": "Die ersten {count} Datensätze dieses Monats werden angezeigt",
  "bulk.tag": "Tag",
  "view.default": "Teamstandard",
  "view.makeDefault": "Als Teamstandard festlegen",
  "view.noDefault": "Nicht mehr als Teamstandard verwenden",
  "filter.sheet": { one: "Filter, {count} aktiv", other: "Filter, {count} aktiv" },
  "filter.done": "Ergebnisse anzeigen",
  "row.menu": "Aktionen für {name}",
  "row.open": "Öffnen",
  "row.openTab": "In neuem Tab öffnen",
  "row.select": "Auswählen",
  "row.keyMenu": "Zeilenmenü öffnen",
};
