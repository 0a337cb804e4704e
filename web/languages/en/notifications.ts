// biome-ignore format: one message per line
export const notifications = {
} as const;
