// Orders the nodes of each layer of a graph so that few lines cross (barycenter heuristic): sweeps down and up sort
// nodes by the mean of their neighbors, then adjacent nodes are swapped if that helps. The result is deterministic.

export type LayerEdge = Readonly<{ from: string; to: string }>;
type Place = { layer: number; across: number };

const maxSweeps = 8;

/** The reordered layers; those in `fixed` keep their order. */
export function orderLayers(
  layers: readonly (readonly string[])[],
  edges: readonly LayerEdge[],
  fixed: ReadonlySet<number> = new Set(),
): string[][] {
  const current = layers.map((layer) => [...layer]);
  const neighbors = findNeighbors(edges);
  let best = current.map((layer) => [...layer]);
  let fewest = countCrossings(best, edges);
  for (let sweep = 0; sweep < maxSweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? current.keys() : [...current.keys()].reverse();
    for (const index of order) if (!fixed.has(index)) current[index] = sortLayer(current, index, neighbors, isDown);
    for (const index of current.keys()) if (!fixed.has(index)) swapNeighbors(current, index, neighbors);
    const count = countCrossings(current, edges);
    if (count >= fewest) continue;
    best = current.map((layer) => [...layer]);
    fewest = count;
  }
  return best;
}

/** The number of crossing lines, drawn straight, with the nodes of a layer evenly spaced around its middle. */
export function countCrossings(layers: readonly (readonly string[])[], edges: readonly LayerEdge[]): number {
  const places = placeAll(layers);
  const lines = edges.flatMap(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined || a.layer === b.layer) return [];
    return [a.layer < b.layer ? ([a, b] as const) : ([b, a] as const)];
  });
  let count = 0;
  for (const [index, one] of lines.entries())
    for (const other of lines.slice(index + 1)) if (doCross(one, other)) count++;
  return count;
}

function doCross([a, b]: readonly [Place, Place], [c, d]: readonly [Place, Place]): boolean {
  const [from, until] = [Math.max(a.layer, c.layer), Math.min(b.layer, d.layer)];
  if (from >= until) return false;
  const at = (start: Place, end: Place, layer: number): number =>
    start.across + ((end.across - start.across) * (layer - start.layer)) / (end.layer - start.layer);
  const [before, after] = [at(a, b, from) - at(c, d, from), at(a, b, until) - at(c, d, until)];
  return before * after < 0;
}

function placeAll(layers: readonly (readonly string[])[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [layer, keys] of layers.entries())
    for (const [index, key] of keys.entries()) places.set(key, { layer, across: index - (keys.length - 1) / 2 });
  return places;
}

function findNeighbors(edges: readonly LayerEdge[]): Map<string, string[]> {
  const neighbors = new Map<string, string[]>();
  const add = (one: string, other: string) => neighbors.set(one, [...(neighbors.get(one) ?? []), other]);
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return neighbors;
}

/** The positions of a node's neighbors in the layers on one side: -1 before its layer, 1 after it. */
function indexPlaces(
  layers: readonly (readonly string[])[],
  index: number,
  neighbors: ReadonlyMap<string, readonly string[]>,
): (key: string, side: number) => number[] {
  const places = placeAll(layers);
  return (key, side) =>
    (neighbors.get(key) ?? []).flatMap((other) => {
      const place = places.get(other);
      return place !== undefined && Math.sign(place.layer - index) === side ? [place.across] : [];
    });
}

/**
 * Sorts by the mean of the neighbors in the layers that the sweep has passed; a node without neighbors stays at about
 * its place.
 */
function sortLayer(
  layers: readonly (readonly string[])[],
  index: number,
  neighbors: ReadonlyMap<string, readonly string[]>,
  isDown: boolean,
): string[] {
  const layer = layers[index] ?? [];
  const list = indexPlaces(layers, index, neighbors);
  const averages = new Map(
    layer.map((key, at) => {
      const across = list(key, isDown ? -1 : 1);
      const sum = across.reduce((total, each) => total + each, 0);
      return [key, across.length === 0 ? at - (layer.length - 1) / 2 : sum / across.length];
    }),
  );
  return [...averages.keys()].sort((one, other) => (averages.get(one) ?? 0) - (averages.get(other) ?? 0));
}

function swapNeighbors(
  layers: readonly string[][],
  index: number,
  neighbors: ReadonlyMap<string, readonly string[]>,
): void {
  const layer = layers[index] ?? [];
  const list = indexPlaces(layers, index, neighbors);
  /** The crossings between the lines of two nodes, the first being the left one. */
  const count = (left: string, right: string): number =>
    [-1, 1].reduce((sum, side) => {
      const others = list(right, side);
      return sum + list(left, side).reduce((part, at) => part + others.filter((other) => other < at).length, 0);
    }, 0);
  for (let at = 0; at + 1 < layer.length; at++) {
    const [one = "", other = ""] = [layer[at], layer[at + 1]];
    if (count(other, one) < count(one, other)) [layer[at], layer[at + 1]] = [other, one];
  }
}
