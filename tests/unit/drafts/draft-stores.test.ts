import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DraftPlaces } from "../../../web/drafts/draft-store.ts";
import { DraftStores } from "../../../web/drafts/draft-stores.ts";

// D-789: a page that is open all day doesn't accumulate the drafts of every record that it showed.

const database = new Map<string, unknown>();
let onServer: unknown;
let isReachable: boolean;
let upload: PromiseWithResolvers<{ key: string }>;
const storeOnServer = async (draft: unknown) => {
  if (!isReachable) throw new Error("no connection");
  onServer = draft;
};
const places: DraftPlaces = {
  local: {
    get: async (key) => database.get(key),
    set: async (key, draft) => void database.set(key, draft),
    setAtOnce: (key, draft) => void database.set(key, draft),
    remove: async (key) => void database.delete(key),
  },
  server: {
    load: async () => onServer,
    put: storeOnServer,
    remove: () => storeOnServer(undefined),
    isRefusal: () => false,
  },
  tabs: { post: () => {} },
  upload: () => upload.promise,
  now: () => new Date().toISOString(),
};
const settle = () => vi.advanceTimersByTimeAsync(1);
const ignore = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-18T09:00:00Z") });
  database.clear();
  onServer = undefined;
  isReachable = true;
  upload = Promise.withResolvers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("D-789: a store is released when its last input is closed and the server has the draft", async () => {
  const stores = new DraftStores();
  const store = stores.open("note", places);
  const leave = [store.subscribe(ignore), store.subscribe(() => {})];
  await settle();
  store.setText("Tray 2");
  leave[0]?.();
  await settle();
  expect(stores.listHeld()).toEqual([store]);
  leave[1]?.();
  await settle();
  expect(stores.listHeld()).toEqual([]);
  const again = stores.open("note", places);
  again.subscribe(ignore);
  await settle();
  expect(again.getState().draft.text).toBe("Tray 2");
});

test("D-789: a store stays while a change is unsent and is released when it has arrived", async () => {
  const stores = new DraftStores();
  const store = stores.open("note", places);
  const leave = store.subscribe(ignore);
  await settle();
  isReachable = false;
  store.setText("Tray 2");
  leave();
  await settle();
  expect(stores.listHeld()).toEqual([store]);
  isReachable = true;
  store.flush();
  await settle();
  expect(stores.listHeld()).toEqual([]);
});

test("D-789: a store stays during a file upload, and the file joins the draft", async () => {
  const stores = new DraftStores();
  const store = stores.open("note", places);
  const leave = store.subscribe(ignore);
  await settle();
  store.upload([new File(["x"], "printer.log")], {
    field: undefined,
    onBegun: ignore,
    onUploaded: ignore,
    onFailure: ignore,
  });
  leave();
  await settle();
  expect(stores.listHeld()).toEqual([store]);
  upload.resolve({ key: "printer.log" });
  await vi.advanceTimersByTimeAsync(2500);
  expect(stores.listHeld()).toEqual([]);
  expect(database.get("note")).toMatchObject({ files: [{ key: "printer.log" }], isSent: true });
});

test("D-789: a form closed while it was being sent changes the draft of the open form", async () => {
  const stores = new DraftStores();
  const closed = stores.open("note", places);
  closed.subscribe(ignore)();
  await settle();
  const open = stores.open("note", places);
  open.subscribe(ignore);
  await settle();
  open.setText("Begun since");
  closed.set(({ text }) => ({ text: `Taken back. ${text}` }));
  await settle();
  expect(open.getState().draft.text).toBe("Taken back. Begun since");
});

test("a page without a session that closes before its database has the text still writes it", async () => {
  const written: string[] = [];
  const local = { ...places.local, set: () => new Promise<void>(() => {}) };
  const refusing = { ...places.server, put: () => Promise.reject(new Error("no session")) };
  const store = new DraftStores().open("slow", {
    ...{ ...places, server: refusing },
    local: { ...local, setAtOnce: (key, draft) => void written.push(`${key}: ${draft.text}`) },
  });
  store.subscribe(() => {});
  store.setText("Typed at the last moment");
  store.flush(true);
  expect(written).toEqual(["slow: Typed at the last moment"]);
});
