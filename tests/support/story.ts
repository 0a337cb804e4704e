import { test } from "vitest";
import { longestTest } from "./waiting.ts";

// Stories that walk through the same pages step by step: each step starts where the previous one ended.

type Step = () => unknown;

/**
 * Registers a test of several steps. A failure names its step. A retry resumes at the failed step, because the earlier steps
 * have already changed the world. `before` and `after` run around every step.
 */
export function story(
  title: string,
  steps: Readonly<Record<string, Step>>,
  { before, after }: { before?: Step; after?: Step } = {},
): void {
  const remaining = Object.entries(steps);
  test(title, { timeout: longestTest * remaining.length }, async () => {
    for (let next = remaining[0]; next !== undefined; next = remaining[0]) {
      const [name, step] = next;
      try {
        await before?.();
        await step();
        await after?.();
      } catch (error) {
        if (error instanceof Error) error.message = `${name}: ${error.message}`;
        throw error;
      }
      remaining.shift();
    }
  });
}
