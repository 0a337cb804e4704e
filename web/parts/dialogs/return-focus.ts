import { useLayoutEffect, useState } from "react";

/** What opened the dialog whose code is being loaded; its stand-in has the focus meanwhile. */
let opener: Element | null = null;

function findOpener(): Element | null {
  const active = document.activeElement;
  if (active?.closest("[data-dialog-loading]") == null) opener = active;
  return opener;
}

/** What had the focus before a dialog was opened gets it back in the same moment in which the dialog goes: no key is lost. */
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
