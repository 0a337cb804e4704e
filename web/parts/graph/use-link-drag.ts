import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Point } from "./layout.ts";

type HandleProps = {
  "data-handle": string;
  onPointerDown(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerUp(event: PointerEvent): void;
  onPointerCancel(): void;
};
export type LinkHandle = (id: number) => HandleProps;

/** Links two steps by dragging a line; the menu of a step does the same. */
export function useLinkDrag(
  scroller: RefObject<HTMLElement | null>,
  scale: number,
  onLink: ((from: number, to: number) => void) | null,
) {
  const [line, setLine] = useState<{ from: Point; to: Point } | null>(null);
  const start = useRef<{ id: number; at: Point } | null>(null);
  const latest = useRef({ scale, onLink });
  useLayoutEffect(() => {
    latest.current = { scale, onLink };
  });
  const handle = useMemo((): LinkHandle => {
    const toCanvas = ({ clientX, clientY }: PointerEvent): Point => {
      const box = scroller.current?.querySelector(".graph-canvas")?.getBoundingClientRect();
      const by = latest.current.scale;
      return { x: (clientX - (box?.left ?? 0)) / by, y: (clientY - (box?.top ?? 0)) / by };
    };
    const end = () => {
      start.current = null;
      setLine(null);
    };
    return (id) => ({
      "data-handle": "",
      onPointerDown(event) {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { id, at: toCanvas(event) };
      },
      onPointerMove(event) {
        if (start.current !== null) setLine({ from: start.current.at, to: toCanvas(event) });
      },
      onPointerUp(event) {
        const from = start.current?.id;
        const under = document.elementsFromPoint(event.clientX, event.clientY);
        const target = under.map((element) => element.closest("[data-node]")).find((found) => found !== null);
        const to = Number(target?.getAttribute("data-node"));
        end();
        if (from !== undefined && Number.isInteger(to) && to !== 0 && to !== from) latest.current.onLink?.(from, to);
      },
      onPointerCancel: end,
    });
  }, [scroller]);
  return { line, handle };
}
