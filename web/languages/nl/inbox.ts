import type { inbox as english } from "../en/inbox.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const inbox = {
} as const satisfies Translation<typeof english>;
