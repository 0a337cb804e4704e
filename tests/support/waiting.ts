import { setTimeout as pause } from "node:timers/promises";

// A test waits for an event, however long a busy machine takes for it. The limits only end what hangs: that of a single
// wait is the shorter one, so that the line that waits is named, and not just its test.

/** for one event, in milliseconds */
export const longestWait = 120_000;
export const longestTest = 300_000;
/** where servers are started and killed again and again */
export const longestReliabilityTest = 900_000;

/** Resolves once the condition holds. `longest`: for what is much work, such as a long queue that must get empty */
export async function until(
  holds: () => boolean | Promise<boolean>,
  {
    what = () => String(holds),
    every = 20,
    longest = longestWait,
  }: { what?: () => string; every?: number; longest?: number } = {},
): Promise<void> {
  for (const end = Date.now() + longest; !(await holds()); await pause(every))
    if (Date.now() > end) throw new Error(`waited in vain: ${what()}`);
}
