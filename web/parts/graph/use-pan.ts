import { type PointerEvent, type RefObject, useRef } from "react";

/** Dragging the background moves the view. Touch and wheel scroll it natively. */
export function usePan(scroller: RefObject<HTMLElement | null>) {
  const from = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  const end = () => {
    from.current = null;
    scroller.current?.removeAttribute("data-panning");
  };
  return {
    onPointerDown(event: PointerEvent) {
      const box = scroller.current;
      const isGround = event.target instanceof Element && event.target.closest("button, a, [data-handle]") === null;
      if (box === null || !isGround || event.pointerType !== "mouse" || event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop };
      box.setPointerCapture(event.pointerId);
      box.setAttribute("data-panning", "");
    },
    onPointerMove(event: PointerEvent) {
      const [box, start] = [scroller.current, from.current];
      if (box === null || start === null) return;
      box.scrollLeft = start.left - (event.clientX - start.x);
      box.scrollTop = start.top - (event.clientY - start.y);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
