import { useLocation } from "@tanstack/react-router";
import { useState } from "react";

/** Calls `close` during the render of another page: `close` may only change the component's state. */
export function useNewPage(close: () => void): void {
  const { pathname } = useLocation();
  const [shown, setShown] = useState(pathname);
  if (shown === pathname) return;
  setShown(pathname);
  close();
}
