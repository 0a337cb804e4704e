import { expect, test } from "vitest";
import { foldLeaves, shortenLast } from "../../web/workspace/ci/fold-leaves.ts";
import type { GraphRelation } from "../../web/workspace/ci/graph-types.ts";
import { countCrossings, type LayerEdge, orderLayers } from "../../web/workspace/ci/order-layers.ts";
import { placeItems } from "../../web/workspace/ci/place-items.ts";

// The layout of the graph of configuration items.

const parseEdges = (text: string): LayerEdge[] =>
  text.split(" ").map((pair) => ({ from: pair.slice(0, 2), to: pair.slice(2) }));

test("nodes of a layer are ordered so that few lines cross, with the same result every time", () => {
  const cases: [layers: string[][], edges: string, before: number, after: number][] = [
    // two swapped nodes
    [[["a1", "a2"], ["b1", "b2"]], "a1b2 a2b1", 1, 0],
    // a tree with leaves in the order of their names
    [[["a1"], ["b1", "b2", "b3"], ["c1", "c2", "c3", "c4", "c5", "c6"]], "a1b1 a1b2 a1b3 b1c1 b1c4 b2c2 b2c5 b3c3 b3c6", 3, 0],
    // a complete graph: four crossings for each two and two
    [[["a1", "a2"], ["b1", "b2", "b3"]], "a1b1 a1b2 a1b3 a2b1 a2b2 a2b3", 3, 3],
    // the middle layer, between its two neighbors
    [[["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]], "a1b3 a2b2 a3b1 b3c1 b2c2 b1c3", 6, 0],
  ]; // biome-ignore format: a table keeps its columns
  for (const [layers, text, before, after] of cases) {
    const edges = parseEdges(text);
    expect([text, countCrossings(layers, edges)]).toEqual([text, before]);
    const ordered = orderLayers(layers, edges);
    expect([text, countCrossings(ordered, edges)]).toEqual([text, after]);
    expect(ordered.map((layer) => [...layer].sort())).toEqual(layers.map((layer) => [...layer].sort()));
    expect(orderLayers(layers, edges)).toEqual(ordered);
  }
  const [layers, text] = cases[0] as (typeof cases)[number];
  expect(orderLayers(layers, parseEdges(text), new Set([1]))[1]).toEqual(["b1", "b2"]);
});

test("a router with many switches is laid out in columns without crossings, its leaves grouped; a few neighbors in rows", () => {
  const item = (id: number, level: number, product: string, open_work = 0) => ({
    ...{ id, label: `${product} ${id}`, name: product, status: "in_production", category: null, level, open_work },
    product: { id: product.length, name: product },
  });
  const relation = (
    of_ci: number,
    ci: number,
    relation_type: GraphRelation["relation_type"] = "network_connection",
  ) => ({
    ...{ id: ci, of_ci, ci, relation_type },
  });
  const switches = [2, 3, 4, 5, 6, 7];
  const points = Array.from({ length: 18 }, (_, at) => at + 8);
  const large = {
    items: [
      item(1, 0, "Router"),
      ...switches.map((id) => item(id, 1, "Switch")),
      ...points.map((id) => item(id, 2, "Access point", id === 20 ? 1 : 0)),
    ],
    // The nth access point is connected to the nth switch, so lines cross if ordered by ID.
    relations: [...switches.map((id) => relation(1, id)), ...points.map((id) => relation(2 + (id % 6), id))],
    ...{ groups: [], truncated: false },
  };
  const folded = foldLeaves(large);
  expect(folded.groups.map(({ count }) => count)).toEqual([2, 3, 3, 3, 3, 3]);
  expect(folded.items.map(({ id }) => id)).toEqual([1, ...switches, 20]);
  expect(folded.groups[0]).toMatchObject({ first: "Access point 8", last: "Access point 14", level: 2 });
  for (const graph of [large, folded]) {
    const { layout, nodes, edges } = placeItems(graph);
    expect([layout, new Set(nodes.map(({ x }) => x)).size]).toEqual(["columns", 3]);
    const columns = Map.groupBy(
      [...nodes].sort((a, b) => a.y - b.y),
      ({ x }) => x,
    );
    const layers = [...columns.keys()].sort((a, b) => a - b).map((x) => (columns.get(x) ?? []).map(({ key }) => key));
    expect(countCrossings(layers, edges)).toBe(0);
    for (const column of columns.values())
      for (const [at, node] of column.slice(1).entries())
        expect(node.y - (column[at]?.y ?? 0)).toBeGreaterThanOrEqual(56);
  }
  const small = {
    ...large,
    items: large.items.slice(0, 4),
    relations: [relation(1, 2), relation(1, 3, "parent"), relation(1, 4, "child")],
  };
  expect(foldLeaves(small)).toBe(small);
  const placed = placeItems(small);
  const y = (key: string) => placed.nodes.find((node) => node.key === key)?.y ?? 0;
  expect([placed.layout, y("i2") === y("i1"), y("i3") < y("i1"), y("i4") > y("i1")]).toEqual([
    "rows",
    true,
    true,
    true,
  ]);
});

test("a folded node shows the last label's distinct part", () => {
  for (const [first, last, short] of [
    ["SRV-EHV-01", "SRV-EHV-04", "04"],
    ["WAP-EHV-09", "WAP-EHV-10", "10"],
    ["Desk 4.11-A", "Desk 5.03-B", "5.03-B"],
    ["ALPHA", "OMEGA", "OMEGA"],
    ["ALPHA", "ALPHAS", "ALPHAS"],
    ["LAB-1", "LAB-1", "1"],
  ] as const)
    expect(shortenLast(first, last)).toBe(short);
});
