import { useEffect, useSyncExternalStore } from "react";
import { t } from "../languages/index.ts";

// "(3) 48213 Wireless drops on floor 4 · Requests · Quillhaven IT": the number counts unread inbox items.

let unread = 0;
const listeners = new Set<() => void>();

export function setUnread(count: number): void {
  if (count === unread) return;
  unread = count;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useUnread = (): number => useSyncExternalStore(subscribe, () => unread);

/** From the most specific to the most general; the product name if there is nothing else. */
export function useDocumentTitle(...parts: readonly string[]): void {
  const count = useUnread();
  const title = parts.filter((part) => part !== "").join(" · ") || t("app.name");
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }, [title, count]);
}
