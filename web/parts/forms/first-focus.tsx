import type { ReactNode } from "react";

const mark = (element: HTMLElement | null): void =>
  element?.querySelector("input:not([type=hidden]), textarea, select")?.setAttribute("data-autofocus", "");

/** Focuses the first input inside when the dialog or panel around it opens, not an element before it. */
export const FirstFocus = ({ children }: { children: ReactNode }) => (
  <div ref={mark} style={{ display: "contents" }}>
    {children}
  </div>
);
