import { useState } from "react";
import type { GraphEdge, GraphNode } from "../../base/graph.ts";

type Structure = { key: string; ids: readonly number[]; edges: readonly GraphEdge[] };

const describe = (ids: readonly number[], edges: readonly GraphEdge[]): string =>
  `${ids.join()}|${edges.map(({ from, to, kind }) => `${from}${kind === "next" ? ">" : "!"}${to}`).join()}`;

/** Nodes and edges as of the last structural change: a mere change of states doesn't trigger a new layout. */
export function useStructure(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Structure {
  const ids = nodes.map(({ id }) => id);
  const key = describe(ids, edges);
  const [kept, setKept] = useState<Structure>({ key, ids, edges });
  if (kept.key === key) return kept;
  const next = { key, ids, edges };
  setKept(next);
  return next;
}
