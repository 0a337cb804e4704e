import { expect, test } from "vitest";
import { findComponents } from "./components.ts";

test("components come after those that they point to", () => {
  // 0 → 1 → 2 → 1, 3 → 0, 4 → 4, 5
  expect(findComponents([[1], [2], [1], [0], [4], []])).toEqual([[1, 2], [0], [3], [4], [5]]);
});

test("a long chain needs no deep stack", () => {
  const length = 200_000;
  const chain = Array.from({ length }, (_, node) => (node + 1 < length ? [node + 1] : []));
  expect(findComponents(chain)[0]).toEqual([length - 1]);
  expect(findComponents([...chain.slice(0, -1), [0]])).toHaveLength(1);
});
