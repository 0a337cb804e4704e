import { setTimeout as pause } from "node:timers/promises";

// A test waits for an event, however long a busy machine takes for it. The limit only ends a test that hangs.

export const longestWait = 900_000;

/** Resolves once the condition holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what = () => String(holds), every = 20 }: { what?: () => string; every?: number } = {},
): Promise<void> {
  for (const end = Date.now() + longestWait; !(await holds()); await pause(every))
    if (Date.now() > end) throw new Error(`waited in vain: ${what()}`);
}
