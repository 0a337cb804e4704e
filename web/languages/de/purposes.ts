import { purposes as english } from "../en/purposes.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const purposes = {
  ...english,
} satisfies Translation<typeof english>;
