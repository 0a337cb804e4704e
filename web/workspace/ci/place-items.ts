import type { CiGraph } from "./queries.ts";

// Where the nodes of the graph stand: parents above, children below, all others beside.

export type PlacedNode = { key: string; x: number; y: number; item: number | null; group: number | null };
export type PlacedEdge = { key: string; from: string; to: string; kind: string };
export type Placed = { nodes: readonly PlacedNode[]; edges: readonly PlacedEdge[]; width: number; height: number };

export const nodeSize = { width: 168, height: 52 };
const gap = { x: 28, y: 72 };

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
  const byRow = Map.groupBy(keys, (key) => rows.get(key) ?? 0);
  const order = [...byRow.keys()].sort((a, b) => a - b);
  const width = Math.max(...[...byRow.values()].map((row) => row.length), 1) * (nodeSize.width + gap.x) - gap.x;
  const nodes = order.flatMap((row, index) => {
    const members = putCenterInTheMiddle(byRow.get(row) ?? [], center === undefined ? "" : `i${center.id}`);
    const start = (width - (members.length * (nodeSize.width + gap.x) - gap.x)) / 2;
    return members.map((key, at): PlacedNode => {
      const number = Number(key.slice(1));
      const place = { x: start + at * (nodeSize.width + gap.x), y: index * (nodeSize.height + gap.y) };
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
  return { nodes, edges, width, height: order.length * (nodeSize.height + gap.y) - gap.y };
}

function putCenterInTheMiddle(row: readonly string[], center: string): readonly string[] {
  if (!row.includes(center)) return row;
  const others = row.filter((key) => key !== center);
  const half = Math.ceil(others.length / 2);
  return [...others.slice(0, half), center, ...others.slice(half)];
}
