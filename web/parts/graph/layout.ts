import { type GraphEdge, indexNeighbors } from "../../base/graph.ts";
import { placeColumn } from "./place-column.ts";

// A layered layout: columns by the longest path from a start, rows so that edges cross and bend little. It depends only
// on the steps and edges, never on their state, so completing a step moves nothing.

export type Point = { x: number; y: number };
export type PlacedNode = Point & { id: number; column: number };
export type PlacedEdge = GraphEdge & { points: readonly Point[] };
export type Layout = {
  nodes: ReadonlyMap<number, PlacedNode>;
  edges: readonly PlacedEdge[];
  width: number;
  height: number;
};
export type NodeSize = { width: number; height: number; columnGap: number; rowGap: number };

export const defaultSize: NodeSize = { width: 168, height: 66, columnGap: 34, rowGap: 22 };

/** A step, or a point on an edge that spans several columns. */
type Cell = { id: number; column: number; isStep: boolean; hangsBelow: number | null; y: number };

const sweeps = 6;

export function layoutGraph(ids: readonly number[], edges: readonly GraphEdge[], size = defaultSize): Layout {
  const known = new Set(ids);
  const all = edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const columnOf = pickColumns(ids, all);
  const hangs = pickHanging(ids, all, columnOf);
  const cells = new Map<number, Cell>(
    ids.map((id) => [
      id,
      { id, column: columnOf(id), isStep: true, hangsBelow: hangs.get(id) ?? null, y: 0 } satisfies Cell,
    ]),
  );
  const chains = buildChains(all, cells);
  const columns = orderColumns([...cells.values()], chains);
  placeRows(columns, chains, size);
  return finish(cells, chains, size);
}

/** The longest path to each step. An edge that closes a cycle, for example rework, is ignored. */
function pickColumns(ids: readonly number[], edges: readonly GraphEdge[]): (id: number) => number {
  const incoming = new Map<number, GraphEdge[]>();
  for (const edge of edges) incoming.set(edge.to, [...(incoming.get(edge.to) ?? []), edge]);
  const columns = new Map<number, number>();
  const open = new Set<number>();
  const find = (id: number): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    open.add(id);
    const column = (incoming.get(id) ?? [])
      .filter(({ from }) => !open.has(from))
      .reduce((most, { from, kind }) => Math.max(most, find(from) + (kind === "next" ? 1 : 0)), 0);
    open.delete(id);
    columns.set(id, column);
    return column;
  };
  for (const id of ids) find(id);
  return (id) => columns.get(id) ?? 0;
}

/** Steps reached only by a failure are placed below the step that may fail, in its column. */
function pickHanging(ids: readonly number[], edges: readonly GraphEdge[], columnOf: (id: number) => number) {
  const neighbors = indexNeighbors(edges);
  const hangs = new Map<number, number>();
  for (const { from, to, kind } of edges)
    if (kind === "failure" && !hangs.has(to) && neighbors(to).before.length === 0 && columnOf(from) === columnOf(to))
      hangs.set(to, from);
  for (const id of ids) {
    // A chain of failure steps hangs below its first one; a cycle of them hangs below none.
    const seen = new Set([id]);
    for (let at = hangs.get(id); at !== undefined; at = hangs.get(at)) {
      if (seen.has(at)) {
        hangs.delete(id);
        break;
      }
      seen.add(at);
    }
  }
  return hangs;
}

type Chain = { edge: GraphEdge; from: Cell; to: Cell; cells: readonly Cell[] };

const listPairs = (cells: readonly Cell[]): [Cell, Cell][] =>
  cells.flatMap((cell, at): [Cell, Cell][] => {
    const before = cells[at - 1];
    return before === undefined ? [] : [[before, cell]];
  });

const setRows = (column: readonly Cell[], rows: readonly number[]): void => {
  for (const [at, cell] of column.entries()) cell.y = rows[at] ?? 0;
};

/** An edge over several columns gets a cell in each of them, so that it passes between steps. */
function buildChains(edges: readonly GraphEdge[], cells: Map<number, Cell>): Chain[] {
  let passing = -1;
  return edges.flatMap((edge) => {
    const [from, to] = [cells.get(edge.from), cells.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const between: Cell[] = [];
    if (edge.kind === "next")
      for (let column = from.column + 1; column < to.column; column++) {
        const cell: Cell = { id: passing--, column, isStep: false, hangsBelow: null, y: 0 };
        cells.set(cell.id, cell);
        between.push(cell);
      }
    return [{ edge, from, to, cells: [from, ...between, to] }];
  });
}

/** The cells of each column from top to bottom: near the middle of their neighbors. */
function orderColumns(cells: readonly Cell[], chains: readonly Chain[]): Cell[][] {
  const columns: Cell[][] = [];
  for (const cell of cells) {
    columns[cell.column] ??= [];
    columns[cell.column]?.push(cell);
  }
  const before = new Map<number, Cell[]>();
  const after = new Map<number, Cell[]>();
  const push = (map: Map<number, Cell[]>, id: number, cell: Cell) => map.set(id, [...(map.get(id) ?? []), cell]);
  for (const { edge, cells: chain } of chains)
    if (edge.kind === "next")
      for (const [one, other] of listPairs(chain)) {
        if (one.column >= other.column) continue;
        push(before, other.id, one);
        push(after, one.id, other);
      }
  const place = new Map<number, number>();
  const remember = (column: readonly Cell[]) => {
    for (const [at, { id }] of column.entries()) place.set(id, at / Math.max(1, column.length - 1));
  };
  for (const column of columns) remember(column);
  const sort = (column: Cell[], joined: Map<number, Cell[]>): Cell[] => {
    const heads = column.filter(({ hangsBelow }) => hangsBelow === null);
    const rank = new Map(
      heads.map((cell, at) => {
        const others = joined.get(cell.id) ?? [];
        const own = place.get(cell.id) ?? 0;
        const mean =
          others.length === 0 ? own : others.reduce((sum, { id }) => sum + (place.get(id) ?? 0), 0) / others.length;
        return [cell.id, { mean, at }];
      }),
    );
    const sorted = heads.sort((one, other) => {
      const [a, b] = [rank.get(one.id), rank.get(other.id)];
      return (a?.mean ?? 0) - (b?.mean ?? 0) || (a?.at ?? 0) - (b?.at ?? 0);
    });
    const below = new Map<number, Cell[]>();
    for (const cell of column) if (cell.hangsBelow !== null) push(below, cell.hangsBelow, cell);
    const hang = (id: number): Cell[] => (below.get(id) ?? []).flatMap((cell) => [cell, ...hang(cell.id)]);
    return sorted.flatMap((cell) => [cell, ...hang(cell.id)]);
  };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forwards = sweep % 2 === 0;
    const order = forwards ? [...columns.keys()] : [...columns.keys()].reverse();
    for (const at of order) {
      const sorted = sort(columns[at] ?? [], forwards ? before : after);
      columns[at] = sorted;
      remember(sorted);
    }
  }
  return columns;
}

/** Heights: every cell near the mean of its neighbors, without overlap. */
function placeRows(columns: readonly Cell[][], chains: readonly Chain[], size: NodeSize): void {
  const joined = new Map<number, Cell[]>();
  const join = (one: Cell, other: Cell) => joined.set(one.id, [...(joined.get(one.id) ?? []), other]);
  for (const { edge, cells } of chains)
    if (edge.kind === "next")
      for (const [one, other] of listPairs(cells)) {
        join(one, other);
        join(other, one);
      }
  const heightOf = ({ isStep }: Cell) => (isStep ? size.height : 8);
  const gaps = (column: readonly Cell[]) =>
    column.map((cell, at) => {
      const above = column[at - 1];
      if (above === undefined) return 0;
      const hangs = cell.hangsBelow !== null ? size.rowGap * 1.6 : size.rowGap;
      return heightOf(above) / 2 + heightOf(cell) / 2 + (cell.isStep && above.isStep ? hangs : size.rowGap / 2);
    });
  for (const column of columns)
    setRows(
      column,
      placeColumn(
        column.map(() => 0),
        gaps(column),
      ),
    );
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forwards = sweep % 2 === 0;
    for (const column of forwards ? columns : [...columns].reverse()) {
      const wanted = column.map((cell) => {
        const others = (joined.get(cell.id) ?? []).filter((other) =>
          sweep === sweeps - 1 ? true : forwards ? other.column < cell.column : other.column > cell.column,
        );
        return others.length === 0 ? cell.y : others.reduce((sum, { y }) => sum + y, 0) / others.length;
      });
      setRows(column, placeColumn(wanted, gaps(column)));
    }
  }
}

/** Coordinates from the top left corner, and the points of each edge. */
function finish(cells: ReadonlyMap<number, Cell>, chains: readonly Chain[], size: NodeSize): Layout {
  const all = [...cells.values()];
  const half = size.height / 2;
  const top = Math.min(0, ...all.map(({ y, isStep }) => y - (isStep ? half : 4)));
  const xOf = ({ column }: Cell) => column * (size.width + size.columnGap);
  const yOf = ({ y }: Cell) => Math.round(y - top);
  const nodes = new Map(
    all
      .filter(({ isStep }) => isStep)
      .map((cell) => [cell.id, { id: cell.id, column: cell.column, x: xOf(cell), y: yOf(cell) - half }] as const),
  );
  const edges = chains.map(({ edge, from, to, cells: chain }): PlacedEdge => {
    if (edge.kind === "failure" || from.column >= to.column) {
      const isBelow = yOf(to) >= yOf(from);
      const [start, end] = isBelow ? [half, -half] : [-half, half];
      return {
        ...edge,
        points: [
          { x: xOf(from) + size.width / 2, y: yOf(from) + start },
          { x: xOf(to) + size.width / 2, y: yOf(to) + end },
        ],
      };
    }
    const between = chain.slice(1, -1).flatMap((cell) => [
      { x: xOf(cell), y: yOf(cell) },
      { x: xOf(cell) + size.width, y: yOf(cell) },
    ]);
    return {
      ...edge,
      points: [{ x: xOf(from) + size.width, y: yOf(from) }, ...between, { x: xOf(to), y: yOf(to) }],
    };
  });
  const width = Math.max(0, ...all.map((cell) => xOf(cell) + size.width));
  const height = Math.max(0, ...all.map((cell) => yOf(cell) + (cell.isStep ? half : 4)));
  return { nodes, edges, width, height };
}
