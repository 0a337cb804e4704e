import { useLayoutEffect, useRef, useState } from "react";

/** The width and height of an element in pixels, updated when they change. */
export function useSize<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [[width, height], setSize] = useState<readonly [number, number]>([0, 0]);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setSize([element.clientWidth, element.clientHeight]);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width, height] as const;
}
