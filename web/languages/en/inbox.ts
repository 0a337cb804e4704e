// biome-ignore format: one message per line
export const inbox = {
} as const;
