import type { GanttItem } from "./item.ts";
import type { TimeAxis } from "./time-axis.ts";

/** The position of the present in the visible time axis, from its left edge. */
const shareOfNow = 0.3;
/** The position of a bar that begins later, or began earlier. */
const shareOfStart = 0.08;

export const scrollToNow = (axis: Pick<TimeAxis, "place">, now: number, seen: number): number =>
  Math.max(0, axis.place(now) - seen * shareOfNow);

/**
 * The initial scroll position of a chart, in pixels: at the present if items are visible around it, else at the next
 * item, else at the first one. `seen`: the visible width of the time axis.
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
  // A chart that begins shortly before the present isn't scrolled at all.
  const near = axis.place(now) <= seen * 0.6 ? 0 : atNow;
  if (spans.length === 0 || isSeen(near)) return near;
  const starts = spans.map(({ start }) => start);
  const later = starts.filter((start) => start >= now);
  return Math.max(0, axis.place(Math.min(...(later.length > 0 ? later : starts))) - seen * shareOfStart);
}
