import type { newRequest as english } from "../en/new-request.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const newRequest = {
} as const satisfies Translation<typeof english>;
