import type { Neighbors } from "../../base/graph.ts";
import type { Layout, PlacedNode } from "./layout.ts";

/**
 * The step to which an arrow key leads: right and left along the edges, up and down within the column. Null: there is
 * none in that direction; undefined: not an arrow key.
 */
export function walkGraph(
  { nodes }: Layout,
  neighbors: (id: number) => Neighbors,
  id: number,
  key: string,
): number | null | undefined {
  const here = nodes.get(id);
  if (here === undefined) return undefined;
  const { before, after, onFailure } = neighbors(id);
  const nearest = (ids: readonly number[]): number | null =>
    ids
      .flatMap((each) => nodes.get(each) ?? [])
      .sort((one, other) => Math.abs(one.y - here.y) - Math.abs(other.y - here.y))[0]?.id ?? null;
  const inColumn = (isThere: (other: PlacedNode) => boolean): number | null =>
    nearest(
      [...nodes.values()].filter((other) => other.column === here.column && isThere(other)).map((each) => each.id),
    );
  switch (key) {
    case "ArrowRight":
      return nearest(after) ?? nearest(onFailure);
    case "ArrowLeft":
      return nearest(before) ?? nearest([...nodes.keys()].filter((each) => neighbors(each).onFailure.includes(id)));
    case "ArrowDown":
      return inColumn(({ y }) => y > here.y);
    case "ArrowUp":
      return inColumn(({ y }) => y < here.y);
    case "Home":
      return [...nodes.keys()][0] ?? null;
    default:
      return undefined;
  }
}
