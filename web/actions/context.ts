import { useEffect, useSyncExternalStore } from "react";

// The subject of the page's actions, for the palette: the open record, or the selection.

/** `work`: the record's type and status, if it has a status */
export type ActionContext = { label: string; work?: { type: string; status: string } };

let current: ActionContext | null = null;
const listeners = new Set<() => void>();

function set(context: ActionContext | null): void {
  current = context;
  for (const listener of listeners) listener();
}

/** Called by the page of a record with its number, or by a list with its selection. */
export function useActionContext(label: string | null, type = "", status = ""): void {
  useEffect(() => {
    if (label === null) return;
    const own: ActionContext = status === "" ? { label } : { label, work: { type, status } };
    set(own);
    return () => {
      if (current === own) set(null);
    };
  }, [label, type, status]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useCurrentActionContext = (): ActionContext | null => useSyncExternalStore(subscribe, () => current);
