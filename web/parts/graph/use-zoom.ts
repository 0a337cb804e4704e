import { type RefObject, useCallback, useState } from "react";
import type { Layout } from "./layout.ts";

const [least, most] = [0.3, 2];
const limit = (scale: number): number => Math.min(most, Math.max(least, scale));

/** The scale of the graph. Zooming to fit never enlarges steps. */
export function useZoom(scroller: RefObject<HTMLElement | null>, layout: Pick<Layout, "width" | "height">) {
  const [scale, setScale] = useState(1);
  const by = useCallback((factor: number) => setScale((was) => limit(was * factor)), []);
  const fit = () => {
    const box = scroller.current;
    if (box === null || layout.width === 0) return;
    const [wide, high] = [(box.clientWidth - 56) / layout.width, (box.clientHeight - 56) / layout.height];
    setScale(limit(Math.min(1, wide, high)));
    box.scrollTo({ left: 0, top: 0 });
  };
  return { scale, by, fit };
}
