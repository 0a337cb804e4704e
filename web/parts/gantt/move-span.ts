import type { GanttEdit, Span } from "./item.ts";

/** Moves a span, or only its end, by some milliseconds. */
export function moveSpan(
  id: number,
  { start, end }: Span,
  what: GanttEdit["what"],
  by: number,
  least: number,
): GanttEdit {
  return what === "move"
    ? { id, what, start: start + by, end: end + by }
    : { id, what, start, end: Math.max(start + least, end + by) };
}
