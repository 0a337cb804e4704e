import { useSyncExternalStore } from "react";

// Whether other people's changes are streamed.

export type LiveState = "connecting" | "live" | "polling";

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

export function setLiveState(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const getLiveState = (): LiveState => state;
export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, getLiveState);
