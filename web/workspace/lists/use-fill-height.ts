import { type RefObject, useLayoutEffect, useState } from "react";

/** The size of an element that reaches to the lower edge of the page: a list scrolls by itself below its bars. */
export function useFillHeight(element: RefObject<HTMLElement | null>): { height: number; width: number } {
  const [size, setSize] = useState({ height: 600, width: 1200 });
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box === undefined) return;
      const surface = element.current?.closest(".surface")?.getBoundingClientRect();
      const height = Math.max(240, Math.floor((surface?.bottom ?? innerHeight) - box.top - 1));
      setSize((before) =>
        before.height === height && before.width === Math.floor(box.width)
          ? before
          : { height, width: Math.floor(box.width) },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (element.current !== null) observer.observe(element.current);
    observer.observe(document.body);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [element]);
  return size;
}
