import { setTimeout as pause } from "node:timers/promises";

// A test waits for an event however long a busy machine takes. The limits only stop hanging tests: a single wait has the
// shorter limit, so that the failure names the waiting line and not just the test.

/** milliseconds for one event */
export const longestWait = 120_000;
export const longestTest = 300_000;
/** for tests that start and kill servers repeatedly */
export const longestReliabilityTest = 900_000;

/** Resolves once the condition holds. `longest`: for long work, such as draining a queue */
export async function until(
  holds: () => boolean | Promise<boolean>,
  {
    what = () => String(holds),
    every = 20,
    longest = longestWait,
  }: { what?: () => string; every?: number; longest?: number } = {},
): Promise<void> {
  for (const end = Date.now() + longest; !(await holds()); await pause(every))
    if (Date.now() > end) throw new Error(`timed out waiting for: ${what()}`);
}
