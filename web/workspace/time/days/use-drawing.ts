import { useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * Something that is drawn with the pointer over days or hours. The pointer is quicker than the page is drawn: what counts
 * is where it was last, not what was shown last.
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
      // The pointer may be let go anywhere.
      window.addEventListener("pointerup", finish);
      release.current = () => window.removeEventListener("pointerup", finish);
    },
    move(change: (drawn: Drawn) => Drawn) {
      if (current.current !== null) show(change(current.current));
    },
  };
}
