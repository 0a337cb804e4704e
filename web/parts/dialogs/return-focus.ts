import { useLayoutEffect, useState } from "react";

/** The element that opened the dialog whose code is being loaded; its placeholder has the focus meanwhile. */
let opener: Element | null = null;

function findOpener(): Element | null {
  const active = document.activeElement;
  if (active?.closest("[data-dialog-loading]") == null) opener = active;
  return opener;
}

/**
 * Returns the focus to the element that had it before the dialog, in the same moment in which the dialog closes: no key
 * is lost.
 */
export function useReturnFocus(): void {
  const [before] = useState(findOpener);
  useLayoutEffect(
    () => () => {
      const now = document.activeElement;
      const isElsewhere = now !== null && now !== document.body && now.closest('[role="dialog"]') === null;
      if (!isElsewhere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
