import { useEffect, useSyncExternalStore } from "react";
import type { IconComponent } from "../parts/icon.tsx";

// What the actions of the page are about, for the palette: the open record, or the selection.

export type ActionContext = { label: string; icon?: IconComponent };

let current: ActionContext | null = null;
const listeners = new Set<() => void>();

function set(context: ActionContext | null): void {
  current = context;
  for (const listener of listeners) listener();
}

/** Called by the page of a record with its number, or by a list with its selection. */
export function useActionContext(label: string | null, icon?: IconComponent): void {
  useEffect(() => {
    if (label === null) return;
    const own: ActionContext = icon === undefined ? { label } : { label, icon };
    set(own);
    return () => {
      if (current === own) set(null);
    };
  }, [label, icon]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useCurrentActionContext = (): ActionContext | null => useSyncExternalStore(subscribe, () => current);
