import { setImmediate as yieldTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { SharedTurns } from "./shared-turns.ts";

test("long work of many calls takes one turn of the event loop each, and others are served in between", async () => {
  const turns = new SharedTurns();
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

test("a turn says when it ends", async () => {
  const before = performance.now();
  expect((await new SharedTurns(5).next()).end).toBeGreaterThanOrEqual(before + 5);
});
