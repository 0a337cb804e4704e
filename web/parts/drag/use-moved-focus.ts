import { useEffect, useRef } from "react";

/**
 * Something that was moved by key appears anew elsewhere: it gets the focus back as soon as it is drawn there. Whoever
 * moves the focus meanwhile keeps it.
 */
export function useMovedFocus(elementId: (key: string) => string): (key: string) => void {
  const wanted = useRef<string | null>(null);
  const focus = (): void => {
    if (wanted.current === null) return;
    const element = document.getElementById(elementId(wanted.current));
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === null) element?.focus();
    else if (element !== null && activeElement !== element) wanted.current = null;
  };
  useEffect(focus);
  return (key) => {
    wanted.current = key;
    document.getElementById(elementId(key))?.focus();
  };
}
