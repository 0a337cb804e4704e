import { useLayoutEffect, useState } from "react";

/** What had the focus before a dialog was opened gets it back in the same moment in which the dialog goes: no key is lost. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      const now = document.activeElement;
      const isElsewhere = now !== null && now !== document.body && now.closest('[role="dialog"]') === null;
      if (!isElsewhere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
