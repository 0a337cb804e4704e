import { setImmediate as yieldTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterRunningTime } from "./running-time.ts";

test("time in which the process was blocked does not count", async () => {
  let isOver = false;
  const limit = 100; // milliseconds
  const begun = performance.now();
  const stop = afterRunningTime(limit, () => {
    isOver = true;
  });
  while (performance.now() - begun < 3 * limit);
  // Data that arrived meanwhile is read in this turn.
  await yieldTurn();
  expect(isOver).toBe(false);
  stop();
});

test("time in which the process ran counts", async () => {
  await new Promise<void>((resolve) => afterRunningTime(20, resolve));
});
