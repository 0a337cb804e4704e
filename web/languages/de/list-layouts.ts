import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Ansicht",
  "layout.table": "Tabelle",
  "layout.board": "Tafel nach Status",
  "layout.calendar": "Kalender",
  "board.move": "Verschieben nach",
  "board.card": "Aktionen für {name}",
  "board.empty": "Hier ablegen",
  "board.moved": "{name}: {status}",
  "board.more": "{count} von {total} gezeigt. Mehr zeigen",
  "board.keys": "Umschalt und eine Pfeiltaste verschieben die Karte zum nächsten Status.",
  "calendar.previous": "Voriger Monat",
  "calendar.next": "Nächster Monat",
  "calendar.today": "Heute",
  "calendar.by": "Nach Datum",
  "calendar.more": "{count} weitere",
  "calendar.empty": "Nichts in diesem Monat",
  "calendar.cut": "Die ersten {count} dieses Monats werden gezeigt",
  "bulk.tag": "Schlagwort",
  "view.default": "Standard des Teams",
  "view.makeDefault": "Für das Team zuerst öffnen",
  "view.noDefault": "Nicht mehr zuerst öffnen",
  "filter.sheet": { one: "Filter, {count} aktiv", other: "Filter, {count} aktiv" },
  "filter.done": "Anzeigen",
  "row.menu": "Aktionen für {name}",
  "row.open": "Öffnen",
  "row.openTab": "In neuem Tab öffnen",
  "row.select": "Auswählen",
  "row.keyMenu": "Menü der Zeile",
};
