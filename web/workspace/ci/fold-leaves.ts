import type { CiGraph, GraphGroup } from "./graph-types.ts";

const order = new Intl.Collator(undefined, { numeric: true });
/** Up to this number of nodes, a graph is shown whole. */
const maxUnfolded = 16;

/**
 * In a large graph, leaves of the same product with the same parent are grouped into one node, except those with open
 * work, because people look for them. The server groups many neighbors of one item; this groups a few at each of many.
 */
export function foldLeaves(graph: CiGraph): CiGraph {
  const { items, relations, groups } = graph;
  if (items.length + groups.length <= maxUnfolded) return graph;
  const ends = new Map<number, number>();
  for (const id of [...relations.flatMap(({ of_ci, ci }) => [of_ci, ci]), ...groups.map(({ of_ci }) => of_ci)])
    ends.set(id, (ends.get(id) ?? 0) + 1);
  const leaves = new Map(
    items
      .filter(({ id, level, open_work }) => level > 1 && open_work === 0 && ends.get(id) === 1)
      .map((item) => [item.id, item]),
  );
  const bundles = Map.groupBy(
    relations.filter(({ ci }) => leaves.has(ci)),
    ({ of_ci, ci, relation_type }) => `${of_ci} ${relation_type} ${leaves.get(ci)?.product.id}`,
  );
  const folded: GraphGroup[] = [];
  const gone = new Set<number>();
  for (const bundle of bundles.values()) {
    const inside = bundle.flatMap(({ ci }) => leaves.get(ci) ?? []);
    const [[relation], [first]] = [bundle, inside];
    if (relation === undefined || first === undefined || inside.length < 2) continue;
    const names = inside.map(({ label, name }) => label ?? name).sort(order.compare);
    const { of_ci, relation_type } = relation;
    const { product, level } = first;
    const [from = "", until = ""] = [names[0], names.at(-1)];
    const ids = inside.map(({ id }) => id);
    folded.push({ of_ci, relation_type, product, level, count: ids.length, first: from, last: until, ids });
    for (const id of ids) gone.add(id);
  }
  return {
    ...graph,
    items: items.filter(({ id }) => !gone.has(id)),
    relations: relations.filter(({ ci }) => !gone.has(ci)),
    groups: [...groups, ...folded],
  };
}

/** The last of several labels without the prefix that it shares with the first: "SRV-EHV-01 to 04" fits a node. */
export function shortenLast(first: string, last: string): string {
  let differs = 0;
  while (differs < last.length && first[differs] === last[differs]) differs++;
  const same = /^.*[\s._/-]/.exec(last.slice(0, differs))?.[0] ?? "";
  return last.slice(same.length) || last;
}
