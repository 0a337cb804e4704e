import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { GanttEdit, Span } from "./item.ts";
import { moveSpan } from "./move-span.ts";
import type { TimeAxis } from "./time-axis.ts";

// Dragging a bar or its end. While the pointer moves, only the bar follows it, without a render of the chart; the owner
// is notified when the pointer rests, and at the end.

type Context = {
  id: number;
  bar: RefObject<HTMLElement | null>;
  span: Span | null;
  axis: TimeAxis;
  isEdited: boolean;
  calls: { select(id: number): void; edit(edit: GanttEdit): void };
};
type Drag = { x: number; span: Span; what: GanttEdit["what"]; wanted: GanttEdit | null };

export const leastWidth = 6; // pixels
const restDelay = 120; // milliseconds

export function useBarDrag(context: Context) {
  const latest = useRef(context);
  const drag = useRef<Drag | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useLayoutEffect(() => {
    latest.current = context;
    // The render has moved the bar: the remaining distance is measured from there.
    follow(context, drag.current?.wanted ?? null);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => {
    const notifyOwner = () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      const wanted = drag.current?.wanted;
      if (wanted != null) latest.current.calls.edit(wanted);
    };
    const begin = (event: PointerEvent, what: GanttEdit["what"]) => {
      const { id, span, calls } = latest.current;
      if (event.button !== 0 || span === null) return;
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      calls.select(id);
      drag.current = { x: event.clientX, span, what, wanted: null };
    };
    const move = (event: PointerEvent) => {
      const { current } = drag;
      if (current === null) return;
      const { id, axis, isEdited } = latest.current;
      const by = Math.round(axis.toTime(event.clientX - current.x) / axis.step) * axis.step;
      if (by === 0 && current.wanted === null && !isEdited) return;
      current.wanted = moveSpan(id, current.span, current.what, by, axis.step);
      follow(latest.current, current.wanted);
      clearTimeout(timer.current);
      timer.current = setTimeout(notifyOwner, restDelay);
    };
    const end = () => {
      if (timer.current !== undefined) notifyOwner();
      drag.current = null;
    };
    return {
      handlers: (what: GanttEdit["what"]) => ({
        onPointerDown: (event: PointerEvent) => begin(event, what),
        onPointerMove: move,
        onPointerUp: end,
        onPointerCancel: end,
      }),
      isActive: () => drag.current !== null,
      /** Resets the bar; returns whether it was being dragged. */
      stop(): boolean {
        if (drag.current === null) return false;
        clearTimeout(timer.current);
        timer.current = undefined;
        const { what, span } = drag.current;
        drag.current = null;
        follow(latest.current, what === "resize" ? { ...span, id: latest.current.id, what } : null);
        return true;
      },
    };
  }, []);
}

/** Moves or resizes the bar to the pointer's position, without a render. */
function follow({ bar, span, axis }: Context, wanted: GanttEdit | null): void {
  const { current } = bar;
  if (current === null || span === null) return;
  const shown = wanted ?? { ...span, what: "move" as const };
  const by = axis.toPixels(shown.start - span.start);
  current.style.translate = by === 0 ? "" : `${by}px 0`;
  if (shown.what === "resize")
    current.style.width = `${Math.max(leastWidth, axis.toPixels(shown.end - shown.start))}px`;
}
