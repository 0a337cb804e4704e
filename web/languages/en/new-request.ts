// biome-ignore format: one message per line
export const newRequest = {
} as const;
