import { setImmediate as yieldTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterRunningTime } from "./running-time.ts";

test("the time in which the process was busy does not count", async () => {
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

test("the time in which it ran does", async () => {
  await new Promise<void>((resolve) => afterRunningTime(20, resolve));
});
