import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { Action } from "./action.ts";

// The actions that can be taken now: those of the shell, of the page and of what is open on it. Whoever is mounted
// last comes first, so that a peek's "accept" wins over the list's.

type Registration = { actions: readonly Action[]; signature: string; inDialog: boolean };

const registrations: Registration[] = [];
const listeners = new Set<() => void>();
let snapshot: Action[] = [];

function collect(): Action[] {
  const found = new Map<string, Action>();
  for (const { actions } of [...registrations].reverse())
    for (const action of actions) if (action.when !== false && !found.has(action.id)) found.set(action.id, action);
  return [...found.values()];
}

function publish(): void {
  snapshot = collect();
  for (const listener of listeners) listener();
}

const sign = (actions: readonly Action[]): string =>
  actions.map(({ id, name, keys, when }) => `${id}\0${name}\0${keys}\0${when}`).join("\n");

/**
 * Registers actions while the component is mounted. The functions may be new at every render. `inDialog`: they act
 * while a dialog is open, when everything behind it is out of reach.
 */
export function useActions(actions: readonly Action[], { inDialog = false }: { inDialog?: boolean } = {}): void {
  const registration = useRef<Registration | null>(null);
  useLayoutEffect(() => {
    const own: Registration = { actions: [], signature: "", inDialog };
    registration.current = own;
    registrations.push(own);
    return () => {
      registrations.splice(registrations.indexOf(own), 1);
      publish();
    };
  }, [inDialog]);
  // Before the page is painted: a key that is pressed then meets the functions of what is seen.
  useLayoutEffect(() => {
    const own = registration.current;
    if (own === null) return;
    own.actions = actions;
    const signature = sign(actions);
    // The others hear of it only when there is something to see; new functions alone are no news. They go into the same
    // list: a component that both reads and registers actions would otherwise be drawn again without end.
    if (signature === own.signature) snapshot.splice(0, snapshot.length, ...collect());
    else {
      own.signature = signature;
      publish();
    }
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** All actions that can be taken now; for the palette and the sheet. */
export const useAllActions = (): readonly Action[] => useSyncExternalStore(subscribe, () => snapshot);

export const useAction = (id: string): Action | undefined => useAllActions().find((action) => action.id === id);

export const runAction = (id: string): unknown => snapshot.find((action) => action.id === id)?.run();

/** The actions that keys reach: with a dialog open only those of dialogs. */
export function reachableActions(dialogIsOpen: boolean): readonly Action[] {
  return [...registrations]
    .reverse()
    .filter((registration) => registration.inDialog || !dialogIsOpen)
    .flatMap(({ actions }) => actions.filter((action) => action.when !== false));
}
