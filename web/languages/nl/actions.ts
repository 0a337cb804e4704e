import type { actions as english } from "../en/actions.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const actions = {
  "actions.group.record": "Op dit record",
  "actions.group.selection": "Op de selectie",
  "actions.group.list": "In de lijst",
  "actions.group.write": "Schrijven",
  "actions.group.go": "Ga naar",
  "actions.group.settings": "Instellingen",
  "actions.group.general": "Overal",
} as const satisfies Translation<typeof english>;
