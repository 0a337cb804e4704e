import type { CiGraph } from "./graph-types.ts";

/** The kinds of relations in a graph, in the order of their occurrence. */
export const listKinds = ({ relations, groups }: CiGraph): string[] => [
  ...new Set([...relations, ...groups].map(({ relation_type }) => relation_type)),
];

/** Only the part of the graph that is reachable from the center by relations of one kind. */
export function filterGraph(graph: CiGraph, kind: string | null): CiGraph {
  if (kind === null) return graph;
  const relations = graph.relations.filter(({ relation_type }) => relation_type === kind);
  const reached = new Set(graph.items.filter(({ level }) => level === 0).map(({ id }) => id));
  // A relation begins at its nearer end, so a pass per level reaches everything.
  const levels = Math.max(...graph.items.map(({ level }) => level), 0);
  for (let pass = 0; pass < levels; pass++)
    for (const { of_ci, ci } of relations) if (reached.has(of_ci)) reached.add(ci);
  return {
    ...graph,
    relations: relations.filter(({ of_ci, ci }) => reached.has(of_ci) && reached.has(ci)),
    items: graph.items.filter(({ id }) => reached.has(id)),
    groups: graph.groups.filter(({ relation_type, of_ci }) => relation_type === kind && reached.has(of_ci)),
  };
}
