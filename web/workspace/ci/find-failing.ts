import type { CiGraph } from "./graph-types.ts";

/** The kinds of relations by which an item depends on another, as in the server's outlook. */
const isBelow = (kind: string): boolean => kind === "child";
const isAbove = (kind: string): boolean => kind === "parent";

/** The items of a graph that fail with one: its children, and theirs. A group fails with its item. */
export function findFailing({ relations }: Pick<CiGraph, "relations">, id: number): ReadonlySet<number> {
  const failing = new Set([id]);
  const waiting = [id];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const { of_ci, ci, relation_type } of relations) {
      const next =
        of_ci === at && isBelow(relation_type) ? ci : ci === at && isAbove(relation_type) ? of_ci : undefined;
      if (next === undefined || failing.has(next)) continue;
      failing.add(next);
      waiting.push(next);
    }
  return failing;
}

export const isFailingGroup = (
  { of_ci, relation_type }: { of_ci: number; relation_type: string },
  failing: ReadonlySet<number> | null,
): boolean => failing?.has(of_ci) === true && isBelow(relation_type);
