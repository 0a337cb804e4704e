import { useLocation } from "@tanstack/react-router";
import { useState } from "react";

/** Calls `close` when another page is shown, while it is drawn: `close` may only change the state of the component. */
export function useNewPage(close: () => void): void {
  const { pathname } = useLocation();
  const [shown, setShown] = useState(pathname);
  if (shown === pathname) return;
  setShown(pathname);
  close();
}
