import { constants } from "node:os";

// Ctrl-C under npm arrives twice: once from the terminal and once forwarded by npm.
const duplicateSignalMilliseconds = 500;
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export type Signals = { stopRequested: Promise<void>; abortSignal: AbortSignal; release(): void };

/** Tells when we are asked to stop for the first time; a second signal ends the process at once. */
export function listenForSignals(say: (line: string) => void): Signals {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let first = 0;
  const hear = (signal?: NodeJS.Signals) => {
    if (first === 0) {
      first = Date.now();
      say("Stopping ... (once more ends it at once)");
      resolve();
      abort.abort();
    } else if (signal !== undefined && Date.now() - first > duplicateSignalMilliseconds)
      process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, hear);
  const endWatch = watchNpm(hear);
  return {
    stopRequested: asked,
    abortSignal: abort.signal,
    release() {
      for (const signal of signals) process.off(signal, hear);
      endWatch();
    },
  };
}

/** npm signals the shell it started us with, and that shell may keep it to itself: when our parent ends, we were meant. */
function watchNpm(ended: () => void): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) ended();
  }, 250).unref();
  return () => clearInterval(timer);
}
