import { constants } from "node:os";

// Ctrl-C under npm arrives twice: once from the terminal and once forwarded by npm.
const duplicateSignalMilliseconds = 500;
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export type Signals = { stopRequested: Promise<void>; abortSignal: AbortSignal; release(): void };

/**
 * The first signal requests a stop; a second one ends the process immediately. `reload` runs on SIGHUP instead; SIGHUP stops
 * the server if there is nothing to reload, and when the terminal is closed.
 */
export function listenForSignals(say: (line: string) => void, reload: () => (() => void) | null = () => null): Signals {
  const { promise: stopRequested, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let firstSignalAt = 0;
  const handleSignal = (signal?: NodeJS.Signals) => {
    const reloadNow = signal === "SIGHUP" && !process.stderr.isTTY && firstSignalAt === 0 ? reload() : null;
    if (reloadNow !== null) return reloadNow();
    if (firstSignalAt === 0) {
      firstSignalAt = Date.now();
      say("Stopping… (press Ctrl-C again to stop immediately)");
      resolve();
      abort.abort();
    } else if (signal !== undefined && Date.now() - firstSignalAt > duplicateSignalMilliseconds)
      process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, handleSignal);
  const endWatch = watchNpm(handleSignal);
  return {
    stopRequested,
    abortSignal: abort.signal,
    release() {
      for (const signal of signals) process.off(signal, handleSignal);
      endWatch();
    },
  };
}

/** npm signals its shell, which may not forward the signal: the end of the parent process counts as one. */
function watchNpm(onParentEnd: () => void): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onParentEnd();
  }, 250).unref();
  return () => clearInterval(timer);
}
