import { type PointerEvent, type RefObject, useRef, useState } from "react";
import type { Point } from "./layout.ts";

/** Drawing a line from one step to another; the menu of a step does the same. */
export function useLinkDrag(
  scroller: RefObject<HTMLElement | null>,
  scale: number,
  onLink: ((from: number, to: number) => void) | null,
) {
  const [line, setLine] = useState<{ from: Point; to: Point } | null>(null);
  const start = useRef<{ id: number; at: Point } | null>(null);
  const toCanvas = ({ clientX, clientY }: PointerEvent): Point => {
    const box = scroller.current?.querySelector(".graph-canvas")?.getBoundingClientRect();
    return { x: (clientX - (box?.left ?? 0)) / scale, y: (clientY - (box?.top ?? 0)) / scale };
  };
  const end = () => {
    start.current = null;
    setLine(null);
  };
  const handle = (id: number) => ({
    "data-handle": "",
    onPointerDown(event: PointerEvent) {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { id, at: toCanvas(event) };
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) setLine({ from: start.current.at, to: toCanvas(event) });
    },
    onPointerUp(event: PointerEvent) {
      const from = start.current?.id;
      const under = document.elementsFromPoint(event.clientX, event.clientY);
      const target = under.map((element) => element.closest("[data-node]")).find((found) => found !== null);
      const to = Number(target?.getAttribute("data-node"));
      end();
      if (from !== undefined && Number.isInteger(to) && to !== 0 && to !== from) onLink?.(from, to);
    },
    onPointerCancel: end,
  });
  return { line, handle };
}
