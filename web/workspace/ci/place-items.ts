import { placeColumn } from "../../parts/graph/place-column.ts";
import type { CiGraph } from "./graph-types.ts";
import { orderLayers } from "./order-layers.ts";

// The layout of the graph. A small graph is laid out in rows: parents above, children below, all others beside. One
// with longer rows is laid out in columns by distance from the item, because a page can grow downwards.

export type PlacedNode = { key: string; x: number; y: number; item: number | null; group: number | null };
export type PlacedEdge = { key: string; from: string; to: string; kind: string };
export type PlacedGraph = {
  layout: "rows" | "columns";
  nodes: readonly PlacedNode[];
  edges: readonly PlacedEdge[];
  /** of a node */
  size: NodeSize;
  width: number;
  height: number;
};

export type NodeSize = Readonly<{ width: number; height: number }>;
const nodeSize: NodeSize = { width: 168, height: 52 };
/** Columns have more nodes, and three of them fill the page. */
const columnNodeSize: NodeSize = { width: 212, height: 46 };
/** `labelled`: the gap between two nodes with the kind of their relation */
const gap = { x: 28, labelled: 128, y: 56, columns: 76, inColumn: 10 };
/** In a longer line, room for labels would make it wider than the page. */
const longestLabelled = 3;
const longestLine = 4;

/** A parent is one row above, a child one below; anything else is in the same row. */
const getRowOffset = (kind: string): number => (kind === "parent" ? -1 : kind === "child" ? 1 : 0);

export function placeItems(graph: CiGraph): PlacedGraph {
  const { relations, groups } = graph;
  const edges: PlacedEdge[] = [
    ...relations.map(({ id, of_ci, ci, relation_type: kind }) => ({
      ...{ key: `r${id}`, from: `i${of_ci}`, to: `i${ci}`, kind },
    })),
    ...groups.map(({ of_ci, relation_type: kind }, index) => ({
      ...{ key: `g${index}`, from: `i${of_ci}`, to: `g${index}`, kind },
    })),
  ];
  const lines = splitIntoLines(graph);
  const lineOf = new Map(lines.flatMap((line, index) => line.map((key) => [key, index])));
  const skipsLine = ({ from, to }: PlacedEdge): boolean =>
    Math.abs((lineOf.get(from) ?? 0) - (lineOf.get(to) ?? 0)) > 1;
  return lines.some(({ length }) => length > longestLine) || edges.some(skipsLine)
    ? placeInColumns(graph, edges)
    : placeInRows(graph, lines, edges);
}

const findCenter = ({ items }: CiGraph): string => `i${items.find(({ level }) => level === 0)?.id}`;

function buildNode(key: string, place: { x: number; y: number }): PlacedNode {
  const number = Number(key.slice(1));
  return { key, ...place, item: key.startsWith("i") ? number : null, group: key.startsWith("g") ? number : null };
}

function placeInRows(graph: CiGraph, ordered: readonly string[][], edges: readonly PlacedEdge[]): PlacedGraph {
  const center = findCenter(graph);
  // The item stays in the middle of its row.
  const lines = orderLayers(ordered, edges, new Set([ordered.findIndex((line) => line.includes(center))]));
  const isRelated = (one: string | undefined, other: string | undefined): boolean =>
    edges.some(({ from, to }) => [`${from} ${to}`, `${to} ${from}`].includes(`${one} ${other}`));
  const pickGap = (line: readonly string[]): number =>
    line.length <= longestLabelled && line.some((key, at) => isRelated(key, line[at + 1])) ? gap.labelled : gap.x;
  const measure = (line: readonly string[]): number => line.length * (nodeSize.width + pickGap(line)) - pickGap(line);
  const width = Math.max(...lines.map(measure), nodeSize.width);
  const nodes = lines.flatMap((line, index) => {
    const start = (width - measure(line)) / 2;
    const y = index * (nodeSize.height + gap.y);
    return line.map((key, at) => buildNode(key, { x: start + at * (nodeSize.width + pickGap(line)), y }));
  });
  return {
    layout: "rows",
    nodes,
    edges,
    size: nodeSize,
    width,
    height: lines.length * (nodeSize.height + gap.y) - gap.y,
  };
}

/**
 * Lines from top to bottom. Two neighbors are placed beside the item, others of its row above. Nodes behind those are
 * placed below if there are no children, so that their lines don't cross the others.
 */
function splitIntoLines(graph: CiGraph): string[][] {
  const { items, relations, groups } = graph;
  const center = findCenter(graph);
  const rows = new Map<string, number>([[center, 0]]);
  // Relations list the nearer end first, so that one pass per level reaches everything.
  for (let pass = 0; pass < 3; pass++)
    for (const { of_ci, ci, relation_type: kind } of relations) {
      const [from, to] = [rows.get(`i${of_ci}`), rows.get(`i${ci}`)];
      if (from !== undefined && to === undefined) rows.set(`i${ci}`, from + getRowOffset(kind));
      else if (to !== undefined && from === undefined) rows.set(`i${of_ci}`, to - getRowOffset(kind));
    }
  groups.forEach(({ of_ci, relation_type: kind }, index) => {
    rows.set(`g${index}`, (rows.get(`i${of_ci}`) ?? 0) + getRowOffset(kind));
  });
  const keys = [...items.map(({ id }) => `i${id}`), ...groups.map((_, index) => `g${index}`)];
  const levels = new Map(items.map(({ id, level }) => [`i${id}`, level]));
  const beside = keys.filter((key) => key !== center && rows.get(key) === 0 && levels.get(key) === 1).slice(0, 2);
  const middle = [...beside.slice(0, 1), center, ...beside.slice(1)];
  const behind = [...rows.values()].some((row) => row > 0) ? -0.5 : 0.5;
  const rowOf = (key: string): number => {
    const row = rows.get(key) ?? 0;
    return row !== 0 || middle.includes(key) ? row : levels.get(key) === 1 ? -0.25 : behind;
  };
  const byRow = Map.groupBy(keys, rowOf);
  return [...byRow.keys()].sort((a, b) => a - b).map((row) => (row === 0 ? middle : (byRow.get(row) ?? [])));
}

/** Parents and the nodes behind them on the left, all others on the right. */
function placeInColumns(graph: CiGraph, edges: readonly PlacedEdge[]): PlacedGraph {
  const center = findCenter(graph);
  const columns = new Map<string, number>([[center, 0]]);
  const levels = new Map<string, number>([
    ...graph.items.map(({ id, level }): [string, number] => [`i${id}`, level]),
    ...graph.groups.map(({ level }, index): [string, number] => [`g${index}`, level]),
  ]);
  const levelOf = (key: string): number => levels.get(key) ?? 0;
  for (const { from, to, kind } of [...edges].sort((one, other) => levelOf(one.to) - levelOf(other.to))) {
    const near = columns.get(from);
    if (near === undefined || columns.has(to)) continue;
    columns.set(to, (near < 0 || (near === 0 && getRowOffset(kind) < 0) ? -1 : 1) * levelOf(to));
  }
  const byColumn = Map.groupBy(levels.keys(), (key) => columns.get(key) ?? levelOf(key));
  const order = [...byColumn.keys()].sort((one, other) => one - other);
  const layers = orderLayers(
    order.map((column) => byColumn.get(column) ?? []),
    edges,
  );
  const ys = spreadColumns(layers, edges);
  const nodes = layers.flatMap((layer, index) =>
    layer.map((key) => buildNode(key, { x: index * (columnNodeSize.width + gap.columns), y: ys.get(key) ?? 0 })),
  );
  const height = Math.max(...nodes.map(({ y }) => y)) + columnNodeSize.height;
  return {
    layout: "columns",
    nodes,
    edges,
    size: columnNodeSize,
    width: layers.length * (columnNodeSize.width + gap.columns) - gap.columns,
    height,
  };
}

/**
 * The longest column is filled from top to bottom; starting from it, nodes are placed near the mean of their neighbors.
 */
function spreadColumns(layers: readonly (readonly string[])[], edges: readonly PlacedEdge[]): Map<string, number> {
  const step = columnNodeSize.height + gap.inColumn;
  const longest = Math.max(...layers.map(({ length }) => length));
  const start = layers.findIndex(({ length }) => length === longest);
  const ys = new Map((layers[start] ?? []).map((key, index) => [key, index * step]));
  const others = [...layers.keys()].filter((index) => index !== start);
  for (const index of others.sort((one, other) => Math.abs(one - start) - Math.abs(other - start))) {
    const layer = layers[index] ?? [];
    const even = ((longest - layer.length) * step) / 2;
    const wanted = layer.map((key, at) => {
      const near = edges.flatMap(({ from, to }) => (from === key ? [ys.get(to)] : to === key ? [ys.get(from)] : []));
      const placed = near.filter((y) => y !== undefined);
      return placed.length === 0 ? even + at * step : placed.reduce((sum, y) => sum + y, 0) / placed.length;
    });
    const gaps = layer.map((_, at) => (at === 0 ? 0 : step));
    const placed = placeColumn(wanted, gaps);
    for (const [at, key] of layer.entries()) ys.set(key, placed[at] ?? 0);
  }
  const top = Math.min(...ys.values());
  return new Map([...ys].map(([key, y]) => [key, y - top]));
}
