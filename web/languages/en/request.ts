// biome-ignore format: one message per line
export const request = {
} as const;
