import { useEffect, useRef } from "react";

/**
 * An item moved by key is rendered elsewhere as a new element: it gets the focus back as soon as it is rendered there,
 * unless the person has moved the focus meanwhile.
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
