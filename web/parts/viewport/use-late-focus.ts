import { type RefObject, useLayoutEffect, useRef } from "react";

/** Focuses an element that may not be rendered yet: the next render contains it, because it is selected then. */
export function useLateFocus(scroller: RefObject<HTMLElement | null>): (selector: string, scroll?: boolean) => void {
  const wanted = useRef<{ selector: string; scroll: boolean } | null>(null);
  const attempt = () => {
    if (wanted.current === null) return;
    const found = scroller.current?.querySelector<HTMLElement>(wanted.current.selector);
    if (found === null || found === undefined) return;
    const { scroll } = wanted.current;
    wanted.current = null;
    found.focus({ preventScroll: !scroll });
  };
  useLayoutEffect(attempt);
  return (selector, scroll = false) => {
    wanted.current = { selector, scroll };
    attempt();
  };
}
