import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Weergave",
  "layout.table": "Tabel",
  "layout.board": "Bord op status",
  "layout.calendar": "Kalender",
  "board.move": "Verplaatsen naar",
  "board.card": "Acties voor {name}",
  "board.empty": "Hier neerzetten",
  "board.moved": "{name}: {status}",
  "board.more": "{count} van {total} getoond. Meer tonen",
  "board.keys": "Shift en een pijltoets verplaatsen de kaart naar de volgende status.",
  "calendar.previous": "Vorige maand",
  "calendar.next": "Volgende maand",
  "calendar.today": "Vandaag",
  "calendar.by": "Op datum",
  "calendar.more": "Nog {count}",
  "calendar.empty": "Niets in deze maand",
  "calendar.cut": "De eerste {count} van deze maand worden getoond",
  "bulk.tag": "Tag",
  "view.default": "Standaard van het team",
  "view.makeDefault": "Voor het team als eerste openen",
  "view.noDefault": "Niet meer als eerste openen",
  "filter.sheet": { one: "Filter, {count} in gebruik", other: "Filters, {count} in gebruik" },
  "filter.done": "Tonen",
  "row.menu": "Acties voor {name}",
  "row.open": "Openen",
  "row.openTab": "In een nieuw tabblad openen",
  "row.select": "Selecteren",
  "row.keyMenu": "Menu van de rij",
};
