import type { request as english } from "../en/request.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const request = {
} as const satisfies Translation<typeof english>;
