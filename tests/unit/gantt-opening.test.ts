import { expect, test } from "vitest";
import { pickOpening } from "../../web/parts/gantt/opening.ts";
import { layoutGraph } from "../../web/parts/graph/layout.ts";

// The initial position of a Gantt chart, and the stability of a graph's layout.

const day = 86_400_000;
/** ten pixels per day, starting at day 0 */
const axis = { place: (at: number) => (at / day) * 10 };
const bar = (from: number, until: number) => ({ start: from * day, end: until * day });
const open = (now: number, ...bars: { start: number | null; end: number | null }[]) =>
  pickOpening(axis, bars, now * day, 200);

test("a chart opens at the present if work is visible there, else at the next work, else at the first work", () => {
  expect(open(10, bar(5, 15))).toBe(0);
  expect(open(100, bar(5, 15), bar(98, 120))).toBe(940);
  // All work ended long ago.
  expect(open(400, bar(5, 15), bar(30, 40))).toBe(34);
  // The first work starts next year.
  expect(open(3, bar(300, 310), bar(305, 320))).toBe(2984);
  // A gap: the next work starts later.
  expect(open(200, bar(5, 15), bar(300, 310))).toBe(2984);
  expect(open(400, { start: null, end: null })).toBe(3940);
});

test("a layout depends on steps and edges alone, and a new last step moves no step to another column", () => {
  const ids = Array.from({ length: 300 }, (_, at) => at + 1);
  const edges = ids.slice(1).map((id) => ({ from: Math.floor(id / 2), to: id, kind: "next" as const }));
  const [one, other] = [layoutGraph(ids, edges), layoutGraph([...ids], [...edges])];
  expect([...other.nodes]).toEqual([...one.nodes]);
  expect(other.edges).toEqual(one.edges);
  const columns = (layout: typeof one) => ids.map((id) => layout.nodes.get(id)?.x);
  expect(columns(layoutGraph([...ids, 301], [...edges, { from: 300, to: 301, kind: "next" }]))).toEqual(columns(one));
});
