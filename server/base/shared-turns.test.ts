import { setImmediate as yieldTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { SharedTurns } from "./shared-turns.ts";

test("long calls take one turn of the event loop each, and others are served in between", async () => {
  const turns = new SharedTurns(1000);
  const order: string[] = [];
  for (const name of ["a", "b", "c"])
    turns.request(() => {
      order.push(name);
      if (name === "a") turns.request(() => order.push("a again"));
    });
  for (let turn = 0; turn < 6; turn++) {
    await yieldTurn();
    order.push("other");
  }
  expect(order).toEqual(["a", "other", "b", "other", "c", "other", "a again", "other", "other", "other"]);
});

test("a turn reports when it ends", async () => {
  const before = performance.now();
  expect((await new SharedTurns(5).next()).end).toBeGreaterThanOrEqual(before + 5);
});

test("after long work, the loop is free for others for as long", async () => {
  const turns = new SharedTurns(1);
  const wait = 20; // milliseconds
  const ended = await turns.run(() => {
    const begun = performance.now();
    while (performance.now() - begun < wait);
    return performance.now();
  });
  await turns.next();
  expect(performance.now() - ended).toBeGreaterThanOrEqual(wait - 1);
  await expect(
    turns.run(() => {
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
});
