import { type RefObject, useLayoutEffect, useState } from "react";

type Size = { height: number; width: number };

/** The size of the last list: the next one most likely has the same, and then renders once instead of twice. */
let lastSize: Size = { height: 600, width: 1200 };

/** The size of an element that extends to the lower edge of the page: a list scrolls on its own below its bars. */
export function useFillHeight(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(lastSize);
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box === undefined) return;
      const surface = element.current?.closest(".surface")?.getBoundingClientRect();
      const height = Math.max(240, Math.floor((surface?.bottom ?? innerHeight) - box.top - 1));
      const width = Math.floor(box.width);
      if (lastSize.height !== height || lastSize.width !== width) lastSize = { height, width };
      setSize(lastSize);
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
