import { useSyncExternalStore } from "react";

// One timer for everything that counts minutes. The server's clock may differ from this machine's; whoever knows by
// how much says so with `setClockOffset`.

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

/** For who knows that something changes at this very moment: a target that is reached. */
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

/** The present moment in milliseconds, renewed every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
