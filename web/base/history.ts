import { createBrowserHistory } from "@tanstack/react-router";
import type { MouseEvent } from "react";

export const history = createBrowserHistory();

/** Opens another page of the interface; a form with unsaved values asks first. */
export const navigateTo = (path: string, replace = false): void =>
  replace ? history.replace(path) : history.push(path);

/** Props for a link: a real address for the browser, but no reload on a plain click. */
export const linkTo = (path: string) => ({
  component: "a" as const,
  href: path,
  onClick(event: MouseEvent) {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    navigateTo(path);
  },
});
