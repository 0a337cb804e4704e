import type { actions as english } from "../en/actions.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const actions = {
  "actions.group.record": "Für diesen Datensatz",
  "actions.group.selection": "Für die Auswahl",
  "actions.group.list": "In der Liste",
  "actions.group.write": "Schreiben",
  "actions.group.go": "Gehe zu",
  "actions.group.settings": "Einstellungen",
  "actions.group.general": "Überall",
} as const satisfies Translation<typeof english>;
