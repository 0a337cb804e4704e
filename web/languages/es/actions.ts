import type { actions as english } from "../en/actions.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const actions = {
  "actions.group.record": "En este registro",
  "actions.group.selection": "En la selección",
  "actions.group.list": "En la lista",
  "actions.group.write": "Escritura",
  "actions.group.go": "Ir a",
  "actions.group.settings": "Configuración",
  "actions.group.general": "En cualquier lugar",
} as const satisfies Translation<typeof english>;
