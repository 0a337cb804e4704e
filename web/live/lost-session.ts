import { useSyncExternalStore } from "react";
import { askForSessionBy } from "../api/index.ts";

// A session can end while the page is open. Every call that finds it ended waits here until the person has signed in
// again, and is then repeated, so that no typed text is lost.

type Wait = { promise: Promise<void>; resolve(): void };

let wait: Wait | null = null;
const listeners = new Set<() => void>();
const publish = (): void => {
  for (const listener of listeners) listener();
};

askForSessionBy(() => {
  if (wait === null) {
    wait = Promise.withResolvers<void>();
    publish();
  }
  return wait.promise;
});

/** Lets the waiting calls continue. */
export function continueSession(): void {
  const ended = wait;
  wait = null;
  publish();
  ended?.resolve();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useIsSessionLost = (): boolean => useSyncExternalStore(subscribe, () => wait !== null);
