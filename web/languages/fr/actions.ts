import type { actions as english } from "../en/actions.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const actions = {
  "actions.group.record": "Sur cette fiche",
  "actions.group.selection": "Sur la sélection",
  "actions.group.list": "Dans la liste",
  "actions.group.write": "Rédaction",
  "actions.group.go": "Aller à",
  "actions.group.settings": "Paramètres",
  "actions.group.general": "Partout",
} as const satisfies Translation<typeof english>;
