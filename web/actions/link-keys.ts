import { t } from "../languages/index.ts";
import { useActions } from "./registry.ts";

/** J and K move through links like through the rows of a list. `selector`: those links. */
export function useLinkKeys(selector: string): void {
  const step = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>(selector)];
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
    links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  };
  useActions([
    { id: "links.next", name: t("inbox.next"), group: "list", keys: "j", keysOnly: true, run: () => step(1) },
    { id: "links.previous", name: t("inbox.previous"), group: "list", keys: "k", keysOnly: true, run: () => step(-1) },
  ]);
}
