import { type RefObject, useLayoutEffect, useState } from "react";
import { usePrinting } from "./use-printing.ts";

/** The visible part of a scrolling sheet, in pixels of the sheet. */
export type View = { left: number; top: number; right: number; bottom: number };

const nothing: View = { left: 0, top: 0, right: 0, bottom: 0 };
/** The view moves in steps: scrolling by less than a step renders nothing. */
const step = 200;

/**
 * The visible part, plus a margin that covers scrolling until the next render. Null: everything is rendered, because
 * the sheet is small or being printed. `margin`: pixels on every side.
 */
export function useView(scroller: RefObject<HTMLElement | null>, isLarge: boolean, margin = 300): View | null {
  const [view, setView] = useState(nothing);
  const printing = usePrinting();
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!isLarge || box === null) return;
    let frame = 0;
    const measure = () => {
      frame = 0;
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
      const next = {
        left: Math.floor((scrollLeft - margin) / step) * step,
        top: Math.floor((scrollTop - margin) / step) * step,
        right: Math.ceil((scrollLeft + clientWidth + margin) / step) * step,
        bottom: Math.ceil((scrollTop + clientHeight + margin) / step) * step,
      };
      setView((was) => (isSame(was, next) ? was : next));
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const observer = new ResizeObserver(later);
    observer.observe(box);
    box.addEventListener("scroll", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      box.removeEventListener("scroll", later);
    };
  }, [scroller, isLarge, margin]);
  return isLarge && !printing ? view : null;
}

const isSame = (one: View, other: View): boolean =>
  one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;

/** Whether a box is visible in the view. */
export const overlaps = (view: View | null, box: View): boolean =>
  view === null ||
  (box.left <= view.right && box.right >= view.left && box.top <= view.bottom && box.bottom >= view.top);
