import { checkConnection, hasConnection, waitForConnection } from "../live/connectivity.ts";
import { leaveWhenConnected } from "../live/navigation-guard.ts";

/** Code couldn't be loaded although the server is reachable: it may have a newer version by now. */
export class MissingCode extends Error {}

const storageKey = "steward-missing-code";

/** A newer version has other files: reload the page, once for each file. */
export function reloadForMissingCode(error: unknown): void {
  if (!(error instanceof MissingCode)) return;
  try {
    if (sessionStorage.getItem(storageKey) === error.message) return;
    sessionStorage.setItem(storageKey, error.message);
  } catch {
    return; // storage is disabled: the person decides
  }
  void leaveWhenConnected(() => location.reload());
}

/** Vite loads a stylesheet only once, even if that failed. */
function reloadFailedStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
}

/**
 * Without a connection, waits until there is one. A file counts as missing only if it fails twice while the server is
 * reachable: a single connection may have broken.
 */
async function loadPatiently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let isSecondFailure = false; ; ) {
    try {
      return await load();
    } catch (error) {
      const isReachable = hasConnection() && (await checkConnection());
      if (isReachable && isSecondFailure) throw new MissingCode(String(error));
      isSecondFailure = isReachable;
      await waitForConnection(true);
      reloadFailedStyles();
    }
  }
}

export type Loading<Loaded> = { getLoaded(): Loaded | null; load(): Promise<Loaded> };

/** Code that is loaded once, on first use. */
export function declareLoading<Loaded>(load: () => Promise<Loaded>): Loading<Loaded> {
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;
  return {
    getLoaded: () => loaded,
    load() {
      loading ??= loadPatiently(load).then(
        (value) => {
          loaded = value;
          // React's `use` reads a promise with these members immediately, without a fallback.
          Object.assign(loading ?? {}, { status: "fulfilled", value });
          return value;
        },
        (error: unknown) => {
          // A later attempt loads it again. The render that waits for this one must see the failure, else it would wait
          // forever.
          setTimeout(() => {
            loading = null;
          }, 1000);
          throw error;
        },
      );
      return loading;
    },
  };
}
