import { useSyncExternalStore } from "react";

// One timer for everything that counts minutes. The server's clock may differ from this machine's; callers that know
// the difference report it with `setClockOffset`.

const step = 15_000; // milliseconds

let offset = 0;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now() + offset;
  for (const listener of listeners) listener();
}

export function setClockOffset(milliseconds: number): void {
  offset = milliseconds;
  tick();
}

/** For callers that know of a change at this very moment: a target is reached. */
export const refreshNow = (): void => tick();

export const currentTime = (): number => Date.now() + offset;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = currentTime();
    timer = setInterval(tick, step);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current time in milliseconds, refreshed every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
