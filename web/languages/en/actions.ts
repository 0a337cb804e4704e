// biome-ignore format: one message per line
export const actions = {
  "actions.group.record": "On this record",
  "actions.group.selection": "On the selection",
  "actions.group.list": "In the list",
  "actions.group.write": "Writing",
  "actions.group.go": "Go to",
  "actions.group.settings": "Settings",
  "actions.group.general": "Everywhere",
} as const;
