import { useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * Dragging over days or hours with the pointer. The pointer can be faster than a render, so its last position counts,
 * not the one rendered last.
 */
export function useDrawing<Drawn>(onDrawn: (drawn: Drawn) => void) {
  const [shown, setShown] = useState<Drawn | null>(null);
  const current = useRef<Drawn | null>(null);
  const latest = useRef(onDrawn);
  const release = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    latest.current = onDrawn;
  });
  useEffect(() => () => release.current(), []);
  const show = (drawn: Drawn | null) => {
    current.current = drawn;
    setShown(drawn);
  };
  return {
    shown,
    begin(drawn: Drawn) {
      release.current();
      show(drawn);
      const finish = () => {
        release.current();
        const last = current.current;
        show(null);
        if (last !== null) latest.current(last);
      };
      // The pointer may be released anywhere.
      window.addEventListener("pointerup", finish);
      release.current = () => window.removeEventListener("pointerup", finish);
    },
    move(change: (drawn: Drawn) => Drawn) {
      if (current.current !== null) show(change(current.current));
    },
  };
}
