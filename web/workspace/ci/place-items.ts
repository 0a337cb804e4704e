import type { CiGraph } from "./queries.ts";

// Where the nodes of the graph stand: parents above, children below, all others beside.

export type PlacedNode = { key: string; x: number; y: number; item: number | null; group: number | null };
export type PlacedEdge = { key: string; from: string; to: string; kind: string };
export type Placed = { nodes: readonly PlacedNode[]; edges: readonly PlacedEdge[]; width: number; height: number };

export const nodeSize = { width: 168, height: 52 };
/** `labelled`: the kind of a relation stands between two nodes */
const gap = { x: 28, labelled: 128, y: 56 };
/** In a longer line, room for words would make it wider than the page. */
const longestLabelled = 3;
const longestLine = 4;

/** A parent is one row above, a child one below; anything else stands in the same row. */
const rise = (kind: string): number => (kind === "parent" ? -1 : kind === "child" ? 1 : 0);

export function placeItems({ items, relations, groups }: CiGraph): Placed {
  const rows = new Map<string, number>();
  const center = items.find(({ level }) => level === 0);
  if (center !== undefined) rows.set(`i${center.id}`, 0);
  // Relations come with the nearer end first, so that one pass per level reaches everything.
  for (let pass = 0; pass < 3; pass++)
    for (const { of_ci, ci, relation_type: kind } of relations) {
      const [from, to] = [rows.get(`i${of_ci}`), rows.get(`i${ci}`)];
      if (from !== undefined && to === undefined) rows.set(`i${ci}`, from + rise(kind));
      else if (to !== undefined && from === undefined) rows.set(`i${of_ci}`, to - rise(kind));
    }
  groups.forEach(({ of_ci, relation_type: kind }, index) => {
    rows.set(`g${index}`, (rows.get(`i${of_ci}`) ?? 0) + rise(kind));
  });
  const keys = [...items.map(({ id }) => `i${id}`), ...groups.map((_, index) => `g${index}`)];
  const levels = new Map(items.map(({ id, level }) => [`i${id}`, level]));
  const lines = splitIntoLines(keys, rows, levels, center === undefined ? "" : `i${center.id}`);
  const isRelated = (one: string | undefined, other: string | undefined): boolean =>
    relations.some(({ of_ci, ci }) => [`i${of_ci} i${ci}`, `i${ci} i${of_ci}`].includes(`${one} ${other}`));
  const pickGap = (line: readonly string[]): number =>
    line.length <= longestLabelled && line.some((key, at) => isRelated(key, line[at + 1])) ? gap.labelled : gap.x;
  const measure = (line: readonly string[]): number => line.length * (nodeSize.width + pickGap(line)) - pickGap(line);
  const width = Math.max(...lines.map(measure), nodeSize.width);
  const nodes = lines.flatMap((line, index) => {
    const start = (width - measure(line)) / 2;
    return line.map((key, at): PlacedNode => {
      const number = Number(key.slice(1));
      const place = { x: start + at * (nodeSize.width + pickGap(line)), y: index * (nodeSize.height + gap.y) };
      return { key, ...place, item: key.startsWith("i") ? number : null, group: key.startsWith("g") ? number : null };
    });
  });
  const edges: PlacedEdge[] = [
    ...relations.map(({ id, of_ci, ci, relation_type: kind }) => ({
      ...{ key: `r${id}`, from: `i${of_ci}`, to: `i${ci}`, kind },
    })),
    ...groups.map(({ of_ci, relation_type: kind }, index) => ({
      ...{ key: `g${index}`, from: `i${of_ci}`, to: `g${index}`, kind },
    })),
  ];
  return { nodes, edges, width, height: lines.length * (nodeSize.height + gap.y) - gap.y };
}

/**
 * Lines from top to bottom, each short enough for the page. Two neighbours stand beside the item, others of its row above;
 * what lies behind those stands below where there are no children, so that its lines do not cross the others.
 */
function splitIntoLines(
  keys: readonly string[],
  rows: ReadonlyMap<string, number>,
  levels: ReadonlyMap<string, number>,
  center: string,
): string[][] {
  const beside = keys.filter((key) => key !== center && rows.get(key) === 0 && levels.get(key) === 1).slice(0, 2);
  const middle = [...beside.slice(0, 1), center, ...beside.slice(1)];
  const behind = [...rows.values()].some((row) => row > 0) ? -0.5 : 0.5;
  const rowOf = (key: string): number => {
    const row = rows.get(key) ?? 0;
    return row !== 0 || middle.includes(key) ? row : levels.get(key) === 1 ? -0.25 : behind;
  };
  const byRow = Map.groupBy(keys, rowOf);
  return [...byRow.keys()]
    .sort((a, b) => a - b)
    .flatMap((row) => (row === 0 ? [middle.filter((key) => key !== "")] : chunk(byRow.get(row) ?? [])));
}

/** Lines of about equal length. */
function chunk(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / longestLine);
  const length = Math.ceil(keys.length / Math.max(1, count));
  return Array.from({ length: count }, (_, index) => keys.slice(index * length, (index + 1) * length));
}
