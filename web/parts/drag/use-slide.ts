import { type RefObject, useLayoutEffect, useRef } from "react";

type Place = { left: number; top: number };
const time = 180; // milliseconds

/** Items slide to a new position, so that people can follow what others moved. */
export function useSlide(container: RefObject<HTMLElement | null>, order: string, isPaused: boolean): void {
  const places = useRef<ReadonlyMap<string, Place>>(new Map());
  const shown = useRef(order);
  useLayoutEffect(() => {
    const items = [...(container.current?.querySelectorAll<HTMLElement>("[data-drag-item]") ?? [])];
    const now = new Map(
      items.map((item) => {
        const { left, top } = item.getBoundingClientRect();
        return [item.dataset.dragItem ?? "", { left, top }];
      }),
    );
    const hasChanged = shown.current !== order;
    shown.current = order;
    const before = places.current;
    places.current = now;
    if (!hasChanged || isPaused || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const item of items) {
      const [was, is] = [before.get(item.dataset.dragItem ?? ""), now.get(item.dataset.dragItem ?? "")];
      if (was === undefined || is === undefined || (was.left === is.left && was.top === is.top)) continue;
      item.animate(
        [{ transform: `translate(${was.left - is.left}px, ${was.top - is.top}px)` }, { transform: "none" }],
        {
          duration: time,
          easing: "ease-out",
        },
      );
    }
  });
}
