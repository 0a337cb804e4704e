import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Draft, emptyDraft, isEmptyDraft, joinDrafts, parseDraft } from "../../../web/drafts/draft.ts";
import { type DraftPlaces, DraftStore, type StoredDraft } from "../../../web/drafts/draft-store.ts";
import { formatChanges, parseChanges } from "../../../web/drafts/form-changes.ts";

// D-750: every composer and form stores its text in this store. Each interruption is tested with every part of a draft.

const file = { key: "attachments/a/2026/11/18/3/1-f/printer.log", name: "printer.log", size: 19, isPicture: false };
const parts: Record<string, Partial<Draft>> = {
  text: { text: "Please check tray 2" },
  file: { files: [file] },
  minutes: { time: "1:30" },
  status: { next: { status: "waiting_for", until: "2026-11-19T09:00" } },
  mention: { text: "@Ann Lee", mentions: { "@Ann Lee": "<@7|Ann Lee>" } },
  form: { text: JSON.stringify({ subject: "Paper jam", reopen: false }) },
};

class Refusal extends Error {}

/** The server, with the draft that a person's devices share. */
class Server {
  stored: unknown;
  isReachable = true;
  calls: string[] = [];
  store(draft: unknown): void {
    this.stored = draft;
  }
  async answer<T>(call: string, act: () => T): Promise<T> {
    if (!this.isReachable) throw new Error("no connection");
    this.calls.push(call);
    return act();
  }
}

/** A browser, with the data that its tabs share. */
class Device {
  readonly database = new Map<string, unknown>();
  readonly tabs: DraftStore[] = [];
  private readonly server: Server;
  constructor(server: Server) {
    this.server = server;
  }

  /** Opens a page with the draft. Like a reload, it knows only the stored data. */
  open(upload: DraftPlaces["upload"] = async () => ({ key: file.key })): DraftStore {
    const { database, server, tabs } = this;
    const copy = (draft: StoredDraft) => structuredClone(draft);
    const store: DraftStore = new DraftStore("note", {
      local: {
        get: async (key) => database.get(key),
        set: async (key, draft) => void database.set(key, copy(draft)),
        setAtOnce: (key, draft) => void database.set(key, copy(draft)),
        remove: async (key) => void database.delete(key),
      },
      server: {
        load: () => server.answer("load", () => server.stored),
        put: (draft) => server.answer("put", () => server.store(structuredClone(draft))),
        remove: () => server.answer("remove", () => server.store(undefined)),
        isRefusal: (error) => error instanceof Refusal,
      },
      tabs: {
        post: (draft) => {
          for (const tab of tabs) if (tab !== store) tab.receive(draft);
        },
      },
      upload,
      now: () => new Date().toISOString(),
    });
    tabs.push(store);
    store.subscribe(() => {});
    return store;
  }

  close(store: DraftStore): void {
    this.tabs.splice(this.tabs.indexOf(store), 1);
  }
}

const settle = () => vi.advanceTimersByTimeAsync(1);
const afterDelay = () => vi.advanceTimersByTimeAsync(2500);
let server: Server;
let desk: Device;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-18T09:00:00Z") });
  server = new Server();
  desk = new Device(server);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Interrupts the person and returns the store of the page that they see next. */
const interruptions: Record<string, (typed: DraftStore) => Promise<DraftStore>> = {
  "immediate reload": async (typed) => {
    desk.close(typed);
    return desk.open();
  },
  "back and forth": async (typed) => {
    typed.flush();
    typed.subscribe(() => {})();
    return typed;
  },
  "second tab": async () => desk.open(),
  "already open tab": async () => desk.tabs[0] as DraftStore,
  "another device": async () => {
    await afterDelay();
    return new Device(server).open();
  },
  "page closed, another device": async (typed) => {
    typed.flush(true);
    await settle();
    return new Device(server).open();
  },
  "offline, reload, online": async (typed) => {
    server.isReachable = false;
    await afterDelay();
    desk.close(typed);
    server.isReachable = true;
    const again = desk.open();
    await settle();
    expect(parseDraft(server.stored)).toEqual(again.getState().draft);
    return again;
  },
  "offline, online, another device": async (typed) => {
    server.isReachable = false;
    await afterDelay();
    server.isReachable = true;
    typed.flush();
    await settle();
    return new Device(server).open();
  },
  "reported online too early, another device": async (typed) => {
    server.isReachable = false;
    typed.flush();
    await settle();
    server.isReachable = true;
    await afterDelay();
    return new Device(server).open();
  },
};

for (const [interruption, interrupt] of Object.entries(interruptions))
  test.each(Object.keys(parts))(`D-750: ${interruption}: keeps %s`, async (name) => {
    desk.open();
    const typed = desk.open();
    await settle();
    typed.set(parts[name] ?? {});
    await settle();
    const shown = await interrupt(typed);
    await settle();
    expect(shown.getState().draft).toEqual({ ...emptyDraft, ...parts[name] });
  });

test("D-750: a sent draft disappears in every tab and on every device, permanently", async () => {
  const [typed, other] = [desk.open(), desk.open()];
  const phone = new Device(server);
  await settle();
  typed.set({ text: "Sent soon", files: [file], time: "15" });
  await afterDelay();
  const elsewhere = phone.open();
  await settle();
  expect(elsewhere.getState()).toMatchObject({ draft: { text: "Sent soon" }, restored: { elsewhere: true } });
  typed.remove();
  await settle();
  await elsewhere.refresh();
  for (const store of [typed, other, elsewhere, desk.open(), phone.open()]) {
    await settle();
    expect(isEmptyDraft(store.getState().draft)).toBe(true);
  }
  expect([server.stored, desk.database.size, phone.database.size]).toEqual([undefined, 0, 0]);
});

test("D-750: a draft sent without a connection is removed from the server later", async () => {
  const typed = desk.open();
  await settle();
  typed.setText("Typed");
  await afterDelay();
  server.isReachable = false;
  typed.remove();
  await settle();
  desk.close(typed);
  server.isReachable = true;
  const again = desk.open();
  await settle();
  expect([isEmptyDraft(again.getState().draft), server.stored]).toEqual([true, undefined]);
});

test("D-750: a draft doesn't count as stored during a file upload, and the file joins it after the page is closed", async () => {
  const arrival = Promise.withResolvers<{ key: string }>();
  const typed = desk.open(() => arrival.promise);
  await settle();
  const failures: unknown[] = [];
  const options = {
    field: undefined,
    onBegun: () => {},
    onUploaded: () => {},
    onFailure: (error: unknown) => failures.push(error),
  };
  typed.upload([new File(["paper jam on tray 2"], "printer.log")], options);
  expect(typed.getState().uploads).toHaveLength(1);
  expect(desk.open().getState().draft.files).toEqual([]);
  arrival.resolve({ key: file.key });
  await settle();
  expect(typed.getState()).toMatchObject({ uploads: [], draft: { files: [file] }, isStored: true });
  expect(failures).toEqual([]);

  const refused = desk.open(() => Promise.reject(new Error("too large")));
  await settle();
  refused.upload([new File(["x"], "large.bin")], options);
  await settle();
  expect(refused.getState()).toMatchObject({ uploads: [], draft: { files: [file] } });
  expect(failures).toHaveLength(1);
});

test("D-750: loading the stored draft doesn't replace text typed in the meantime", async () => {
  server.stored = { text: "From yesterday", at: "2026-11-17T09:00:00Z" };
  const typed = desk.open();
  typed.setText("Typed first");
  await afterDelay();
  expect(typed.getState().draft.text).toBe("Typed first");
  expect(parseDraft(server.stored).text).toBe("Typed first");
});

test("D-750: a response requested before the text was saved doesn't replace it", async () => {
  const store = desk.open();
  store.setText("first");
  await afterDelay();
  const old = structuredClone(server.stored);
  const answer = Promise.withResolvers<unknown>();
  const load = vi.spyOn(server, "answer").mockImplementationOnce(() => answer.promise as never);
  const refreshed = store.refresh();
  load.mockRestore();
  store.setText("second");
  await afterDelay();
  expect(server.stored).toMatchObject({ text: "second" });
  answer.resolve(old);
  await refreshed;
  expect(store.getState().draft.text).toBe("second");
});

test("D-750: text typed in the same millisecond as a saved one is saved, too", async () => {
  const store = desk.open();
  await settle();
  const saved = Promise.withResolvers<unknown>();
  const put = vi.spyOn(server, "answer").mockImplementationOnce(() => saved.promise as never);
  store.setText("first");
  store.flush();
  await Promise.resolve();
  put.mockRestore();
  store.setText("second");
  saved.resolve(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.database.get("note")).toMatchObject({ text: "second", isSent: false });
  await store.refresh();
  expect(store.getState().draft.text).toBe("second");
  await afterDelay();
  expect(server.stored).toMatchObject({ text: "second" });
});

test("D-750: a draft that the server refuses is sent again only after a change", async () => {
  const typed = desk.open();
  await settle();
  const put = vi.spyOn(server, "store").mockImplementation(() => {
    throw new Refusal("too large");
  });
  typed.setText("Much too long");
  await vi.advanceTimersByTimeAsync(300_000);
  expect(put).toHaveBeenCalledTimes(1);
  typed.setText("Long");
  await afterDelay();
  expect(put).toHaveBeenCalledTimes(2);
});

test("D-750: a draft of an earlier version keeps its text", () => {
  expect(parseDraft({ text: "Half a thought", at: "2026-11-17T09:00:00Z" })).toEqual({
    ...emptyDraft,
    text: "Half a thought",
  });
  expect([undefined, null, "x", { files: [1, { key: 2 }], next: [], mentions: { a: 1 } }].map(parseDraft)).toEqual(
    Array(4).fill(emptyDraft),
  );
});

test("D-750: the text of a canceled note comes before newer text", () => {
  const joined = joinDrafts(
    { ...emptyDraft, text: "First", time: "15" },
    { ...emptyDraft, text: "Then", files: [file] },
  );
  expect(joined).toEqual({ ...emptyDraft, text: "First\n\nThen", time: "15", files: [file] });
});

test("D-750: a form stores the differences from the record, which may change in the meantime", () => {
  const base = { subject: "Printer", status: "open", tags: ["a"] };
  const text = formatChanges({ ...base, subject: "Printer 4", tags: ["a"] }, base);
  expect({ ...base, status: "closed", ...parseChanges(text) }).toEqual({
    ...base,
    subject: "Printer 4",
    status: "closed",
  });
  expect(formatChanges(base, base)).toBe("");
  expect(parseChanges("not JSON")).toEqual({});
});
