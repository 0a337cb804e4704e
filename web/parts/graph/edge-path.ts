import type { PlacedEdge, Point } from "./layout.ts";

const round = (value: number): number => Math.round(value * 10) / 10;

/** An edge as an SVG path: horizontal at its ends, curved in between. */
export function drawEdge({ kind, points }: PlacedEdge): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = [`M${round(first.x)} ${round(first.y)}`];
  let from: Point = first;
  for (const to of rest) {
    parts.push(kind === "failure" || to.x < from.x ? curveDown(from, to) : curveAcross(from, to));
    from = to;
  }
  return parts.join("");
}

function curveAcross(from: Point, to: Point): string {
  if (Math.abs(from.y - to.y) < 1) return `L${round(to.x)} ${round(to.y)}`;
  const middle = (from.x + to.x) / 2;
  return `C${round(middle)} ${round(from.y)} ${round(middle)} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
}

function curveDown(from: Point, to: Point): string {
  if (Math.abs(from.x - to.x) < 1) return `L${round(to.x)} ${round(to.y)}`;
  const middle = (from.y + to.y) / 2;
  return `C${round(from.x)} ${round(middle)} ${round(to.x)} ${round(middle)} ${round(to.x)} ${round(to.y)}`;
}

/** The position of a button on an edge: on its last segment, before the arrow. */
export function findMiddle({ points }: PlacedEdge): Point {
  const [from, to] = [points.at(-2), points.at(-1)];
  if (from === undefined || to === undefined) return { x: 0, y: 0 };
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}
