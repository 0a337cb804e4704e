import { del, get, set } from "idb-keyval";
import { ApiError, type KeptItem, keptApi, liveApi, recordsApi } from "../api/index.ts";
import { loadBearerToken } from "../api/session.ts";
import type { DraftPlaces, DraftStore, StoredDraft } from "./draft-store.ts";
import { DraftStores } from "./draft-stores.ts";

// The drafts of this page, and where they are stored: in the browser's database, on the server, in the other tabs.

const stores = new DraftStores();

/** Pending changes of drafts: data read before they are saved is outdated. */
let sending: Promise<unknown> = Promise.resolve();
let loading: { page: string; at: number; items: Promise<readonly KeptItem<unknown>[]> } | null = null;

/**
 * Loads all drafts of the person in one call, which serves all fields of a page that opens; another page loads them
 * again.
 */
function loadAll(account: string): Promise<readonly KeptItem<unknown>[]> {
  const page = `${account} ${location.pathname}`;
  if (loading === null || loading.page !== page || Date.now() - loading.at > 1000)
    loading = { page, at: Date.now(), items: sending.then(() => keptApi(account).list("draft")) };
  return loading.items;
}

function track<T>(call: Promise<T>): Promise<T> {
  sending = Promise.allSettled([sending, call]);
  loading = null;
  return call;
}

/**
 * In this browser: in its database, which writes asynchronously, and in storage for what a page wrote while it was
 * being closed.
 */
const local: DraftPlaces["local"] = {
  async get(key) {
    const [late, stored] = [consumeLateDraft(key), await get<StoredDraft>(key).catch(() => undefined)];
    if (late === undefined || (stored !== undefined && stored.at > late.at)) return stored;
    await set(key, late).catch(() => {});
    return late;
  },
  set(key, draft) {
    // A page that is being closed can't wait for a token, so typing renews it.
    void loadBearerToken().catch(() => {});
    return set(key, draft);
  },
  setAtOnce(key, draft) {
    try {
      localStorage.setItem(key, JSON.stringify(draft));
    } catch {
      // storage is full or disabled
    }
  },
  remove: del,
};

function consumeLateDraft(key: string): StoredDraft | undefined {
  try {
    const text = localStorage.getItem(key);
    localStorage.removeItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

type TabMessage = { key: string; draft: StoredDraft | null };
const channel = new BroadcastChannel("steward-drafts");
channel.onmessage = ({ data }: MessageEvent<TabMessage>) => stores.receive(data.key, data.draft);

const buildPlaces = (localKey: string, account: string, key: string): DraftPlaces => ({
  local,
  server: {
    load: async () => (await loadAll(account)).find((item) => item.key === key && item.owner === "me")?.value,
    put: (draft, isLeaving) => track(liveApi(account).keepDraft(key, draft, isLeaving)),
    remove: () =>
      track(
        liveApi(account)
          .removeDraft(key)
          .catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.status !== 404) throw error;
          }),
      ),
    isRefusal: (error) =>
      error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429,
  },
  tabs: { post: (draft) => channel.postMessage({ key: localKey, draft } satisfies TabMessage) },
  upload: (file) => recordsApi(account).upload(file),
  now: () => new Date().toISOString(),
});

/** `key` is unique in the account: "request/48213/note". */
export function openDraft(person: number, account: string, key: string): DraftStore {
  const localKey = `draft/${person}/${account}/${key}`;
  return stores.open(localKey, buildPlaces(localKey, account, key));
}

addEventListener("pagehide", () => {
  for (const store of stores.listHeld()) store.flush(true);
});
addEventListener("online", () => {
  for (const store of stores.listHeld()) store.flush();
});
// Another device may have continued or sent a draft while this page was in the background.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  for (const store of stores.listHeld()) {
    store.flush();
    if (store.isUsed) void store.refresh();
  }
});
// Leaving the page would abort an upload, so the browser asks first.
addEventListener("beforeunload", (event) => {
  if (stores.listHeld().some((store) => store.getState().uploads.length > 0)) event.preventDefault();
});
