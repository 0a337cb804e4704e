// A graph of steps: their order, and the steps that run only when another one fails.

export type GraphNode = {
  id: number;
  /** read out after the visible text: the position of the node and its neighbors */
  spoken: string;
  state: "waiting" | "active" | "done" | "failed";
  /** reached only by a failure that hasn't happened */
  isConditional?: boolean;
};

export type GraphEdge = {
  from: number;
  to: number;
  /** failure: followed only when `from` fails */
  kind: "next" | "failure";
};

export type Neighbors = { before: readonly number[]; after: readonly number[]; onFailure: readonly number[] };

const noNeighbors: Neighbors = { before: [], after: [], onFailure: [] };

/** The neighbors of every step, in the order of the edges. */
export function indexNeighbors(edges: readonly GraphEdge[]): (id: number) => Neighbors {
  const found = new Map<number, { before: number[]; after: number[]; onFailure: number[] }>();
  const of = (id: number) => {
    const known = found.get(id) ?? { before: [], after: [], onFailure: [] };
    found.set(id, known);
    return known;
  };
  for (const { from, to, kind } of edges)
    if (kind === "failure") of(from).onFailure.push(to);
    else {
      of(from).after.push(to);
      of(to).before.push(from);
    }
  return (id) => found.get(id) ?? noNeighbors;
}

/** The steps on a path along `next` edges, both ends included; null: there is none. */
export function findPath(edges: readonly GraphEdge[], from: number, to: number): number[] | null {
  const neighbors = indexNeighbors(edges);
  const predecessors = new Map<number, number | null>([[from, null]]);
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) {
      const path: number[] = [];
      for (let at: number | null = to; at !== null; at = predecessors.get(at) ?? null) path.unshift(at);
      return path;
    }
    for (const next of neighbors(id).after)
      if (!predecessors.has(next)) {
        predecessors.set(next, id);
        queue.push(next);
      }
  }
  return null;
}

/** The steps in topological order; ties are sorted by their position in `ids`. */
export function sortSteps(ids: readonly number[], edges: readonly GraphEdge[]): number[] {
  const neighbors = indexNeighbors(edges);
  const known = new Set(ids);
  const awaited = new Map(ids.map((id) => [id, neighbors(id).before.filter((other) => known.has(other)).length]));
  const sources = new Set(edges.flatMap(({ kind, to }) => (kind === "failure" ? [to] : [])));
  const sorted: number[] = [];
  const done = new Set<number>();
  const place = (id: number) => {
    if (done.has(id)) return;
    done.add(id);
    sorted.push(id);
    // Steps that run on failure come right after the step that fails.
    for (const other of neighbors(id).onFailure) if (known.has(other) && (awaited.get(other) ?? 0) === 0) place(other);
    for (const next of neighbors(id).after) awaited.set(next, (awaited.get(next) ?? 0) - 1);
  };
  while (sorted.length < ids.length) {
    const next =
      ids.find((id) => !done.has(id) && (awaited.get(id) ?? 0) <= 0 && !sources.has(id)) ??
      ids.find((id) => !done.has(id) && (awaited.get(id) ?? 0) <= 0) ??
      ids.find((id) => !done.has(id));
    if (next === undefined) break;
    place(next);
  }
  return sorted;
}
