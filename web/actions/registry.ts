import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { Action } from "./action.ts";

// The actions available now: those of the shell, of the page and of any open panel. The component mounted last comes
// first, so that a peek's "accept" wins over the list's.

type Registration = { actions: readonly Action[]; signature: string; inDialog: boolean };

const registrations: Registration[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly Action[] = [];

function collect(): readonly Action[] {
  const found = new Map<string, Action>();
  for (const registration of [...registrations].reverse())
    for (const action of registration.actions)
      if (action.when !== false && !found.has(action.id))
        // The function may have been replaced by then.
        found.set(action.id, { ...action, run: () => findAction(registration, action.id)?.run() });
  return [...found.values()];
}

const findAction = ({ actions }: Registration, id: string): Action | undefined =>
  actions.find((action) => action.id === id);

function publish(): void {
  snapshot = collect();
  for (const listener of listeners) listener();
}

const sign = (actions: readonly Action[]): string =>
  actions.map(({ id, name, keys, when }) => `${id}\0${name}\0${keys}\0${when}`).join("\n");

/**
 * Registers actions while the component is mounted. The functions may be new on every render. `inDialog`: the actions
 * also work while a dialog is open, when everything behind it is inert.
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
  // Before paint, so that a key pressed right afterwards calls the functions of what is on screen.
  useLayoutEffect(() => {
    const own = registration.current;
    if (own === null) return;
    own.actions = actions;
    const signature = sign(actions);
    // Subscribers are notified only of visible changes. Notifying them of new functions alone would cause a render loop
    // in components that both register and show actions.
    if (signature === own.signature) return;
    own.signature = signature;
    publish();
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** All available actions, for the palette and the shortcut sheet. */
export const useAllActions = (): readonly Action[] => useSyncExternalStore(subscribe, () => snapshot);

export const useAction = (id: string): Action | undefined => useAllActions().find((action) => action.id === id);

export const runAction = (id: string): unknown => snapshot.find((action) => action.id === id)?.run();

/** The actions that keys trigger: while a dialog is open, only the dialog's own. */
export function reachableActions(dialogIsOpen: boolean): readonly Action[] {
  return [...registrations]
    .reverse()
    .filter((registration) => registration.inDialog || !dialogIsOpen)
    .flatMap(({ actions }) => actions.filter((action) => action.when !== false));
}
