import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { probeServer, rememberPendingCalls, setCallObserver } from "../api/call.ts";

// Whether the server is reachable (D-765). The browser's own report covers only a missing network. A dead server and
// dropped packets show in calls and in the stream: an anomaly there starts a probe, and the probe decides.

/** A call that takes longer starts a probe: the server may be slow or unreachable. */
const slowCall = 600; // milliseconds
/** Together with `slowCall` it stays below two seconds. */
const shortestProbe = 1300;
const probeAgainAfter = 2000;
/** After an outage, a call without a response by then never reached the server. */
const lateAnswer = 3000;
/** Over a slow connection a probe takes about as long as the fastest of the last calls. */
const rememberedCalls = 5;
const longestProbe = 10_000;

let isConnected = true;
let abortLostCalls = (): void => {};
let probing: Promise<boolean> | null = null;
let nextProbe: ReturnType<typeof setTimeout> | undefined;
let lastAnswerAt = Number.NEGATIVE_INFINITY;
let answerTimes: readonly number[] = [];
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function setConnected(next: boolean): void {
  clearTimeout(nextProbe);
  if (!next) nextProbe = setTimeout(checkConnection, probeAgainAfter);
  if (next === isConnected) return;
  isConnected = next;
  if (next) setTimeout(abortLostCalls, lateAnswer);
  else abortLostCalls = rememberPendingCalls();
  for (const listener of [...listeners]) listener();
}

/** These statuses come from a gateway whose server is unreachable. */
const isFromServer = ({ status }: Response): boolean => ![502, 503, 504].includes(status);

async function probe(): Promise<boolean> {
  const started = performance.now();
  const usual = answerTimes.length === 0 ? 0 : Math.min(...answerTimes);
  const timeout = Math.min(Math.max(shortestProbe, 3 * usual), longestProbe);
  const isAnswered = await probeServer(timeout).then(
    isFromServer,
    // A probe that timed out while another call got a response: the server is slow. A broken or refused connection is
    // newer information than any response. `fetch` reports it as a TypeError.
    (error: unknown) => !(error instanceof TypeError) && lastAnswerAt > started,
  );
  setConnected(isAnswered);
  return isAnswered;
}

/** Probes the server; false: it is unreachable. */
export function checkConnection(): Promise<boolean> {
  probing ??= probe().finally(() => {
    probing = null;
  });
  return probing;
}

function observeCall(answer: Promise<Response>): void {
  const started = performance.now();
  const slow = setTimeout(checkConnection, slowCall);
  answer.then(
    (response) => {
      clearTimeout(slow);
      if (!isFromServer(response)) return void checkConnection();
      lastAnswerAt = performance.now();
      answerTimes = [...answerTimes, lastAnswerAt - started].slice(-rememberedCalls);
      setConnected(true);
    },
    () => {
      clearTimeout(slow);
      void checkConnection();
    },
  );
}

/** Starts watching; once per page. */
export function watchConnectivity(): void {
  setCallObserver(observeCall);
  onlineManager.setEventListener((setOnline) => onConnectivityChange(setOnline));
  addEventListener("offline", () => {
    setConnected(false);
    // A server on this machine is reachable without a network.
    void checkConnection();
  });
  addEventListener("online", checkConnection);
  document.addEventListener("visibilitychange", () => {
    if (!isConnected && document.visibilityState === "visible") void checkConnection();
  });
  if (!navigator.onLine) void checkConnection();
}

export const onConnectivityChange = (listener: (isConnected: boolean) => void): (() => void) =>
  subscribe(() => listener(isConnected));

export const hasConnection = (): boolean => isConnected;
export const useIsConnected = (): boolean => useSyncExternalStore(subscribe, hasConnection);

/** Resolves when the connection is available or lost, immediately if it already is. */
export const waitForConnection = (wanted: boolean): Promise<void> =>
  isConnected === wanted
    ? Promise.resolve()
    : new Promise((resolve) => {
        const stop = subscribe(() => {
          if (isConnected !== wanted) return;
          stop();
          resolve();
        });
      });
