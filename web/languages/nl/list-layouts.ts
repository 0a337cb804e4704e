import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Indeling",
  "layout.table": "Tabel",
  "layout.board": "Bord per status",
  "layout.calendar": "Kalender",
  "board.move": "Verplaatsen naar",
  "board.card": "Acties voor {name}",
  "board.empty": "Sleep kaarten hierheen",
  "board.moved": "{name} verplaatst naar {status}",
  "board.more": "Meer tonen ({count} van {total} getoond)",
  "board.keys": "Druk op Shift en een pijltoets om de kaart naar de volgende status te verplaatsen.",
  "calendar.previous": "Vorige maand",
  "calendar.next": "Volgende maand",
  "calendar.today": "Vandaag",
  "calendar.by": "Datumveld",
  "calendar.more": "Nog {count}",
  "calendar.empty": "Geen records in deze maand",
  "calendar.cut": "De eerste {count} records van deze maand worden getoond",
  "bulk.tag": "Tag",
  "view.default": "Teamstandaard",
  "view.makeDefault": "Als teamstandaard instellen",
  "view.noDefault": "Niet meer als teamstandaard gebruiken",
  "filter.sheet": { one: "Filters, {count} actief", other: "Filters, {count} actief" },
  "filter.done": "Resultaten tonen",
  "row.menu": "Acties voor {name}",
  "row.open": "Openen",
  "row.openTab": "In nieuw tabblad openen",
  "row.select": "Selecteren",
  "row.keyMenu": "Rijmenu openen",
};
