import type { GanttItem } from "./item.ts";
import type { TimeAxis } from "./time-axis.ts";

/** Where the present stands in what is seen of the line of time, from its left edge. */
const shareOfNow = 0.3;
/** Where a bar stands that begins later, or began earlier. */
const shareOfStart = 0.08;

export const scrollToNow = (axis: Pick<TimeAxis, "place">, now: number, seen: number): number =>
  Math.max(0, axis.place(now) - seen * shareOfNow);

/**
 * How far a chart is scrolled when it opens, in pixels: to the present where some work is seen around it, else to what
 * begins next, else to the first work. `seen`: the width of the line of time that is in view.
 */
export function pickOpening(
  axis: Pick<TimeAxis, "place">,
  items: readonly Pick<GanttItem, "start" | "end">[],
  now: number,
  seen: number,
): number {
  const spans = items.flatMap(({ start, end }) =>
    start === null ? [] : [{ start, end: Math.max(start, end ?? start) }],
  );
  const atNow = scrollToNow(axis, now, seen);
  const isSeen = (from: number) =>
    spans.some(({ start, end }) => axis.place(start) < from + seen && axis.place(end) > from);
  // A chart that begins a little before the present is not scrolled at all.
  const near = axis.place(now) <= seen * 0.6 ? 0 : atNow;
  if (spans.length === 0 || isSeen(near)) return near;
  const starts = spans.map(({ start }) => start);
  const later = starts.filter((start) => start >= now);
  return Math.max(0, axis.place(Math.min(...(later.length > 0 ? later : starts))) - seen * shareOfStart);
}
