import { useCallback, useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { recordsApi, revisionsApi } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { type Draft, parseDraft } from "../../../drafts/draft.ts";
import { type NoteRow, pagePath } from "../queries.ts";
import { buildBody, type Changes, useSave } from "../save/use-save.ts";

// A note waits five seconds before it is sent: a note cannot be recalled, so that is the time to undo it. What waits is
// kept in this browser, and is sent when the page is left. It stays there until it is known to have arrived; all attempts
// have one key, so the note is added once however often it is sent. Several can be on their way, such as a reply and, right
// after it, a note to colleagues. One page has a note, by a lock: the others, in this tab or another, offer it to the person
// only when that page has left it behind.

export type PendingNote = {
  /** names it for the server */
  key: string;
  /** as it will be read */
  text: string;
  internal: boolean;
  changes: Changes;
  /** put back into the composer when the note is taken back */
  written: Draft;
  at: number;
  state: "waiting" | "sending" | "failed";
  error?: unknown;
};

export const sendDelay = 5000; // milliseconds

/** Keeps a note in this browser, without what lives as long as the page. */
const keepNote = (name: string, { error: _, ...note }: PendingNote): void =>
  localStorage.setItem(name, JSON.stringify(note));

/** The keys of the notes that are kept. */
function listKept(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  } catch {
    return []; // storage is switched off
  }
}

function readKept(name: string): PendingNote | null {
  try {
    const note: PendingNote | null = JSON.parse(localStorage.getItem(name) ?? "null");
    return note === null ? null : { ...note, written: parseDraft(note.written) };
  } catch {
    return null; // storage is switched off, or it is not ours
  }
}

/** The locks that pages of this tab have, by name. */
const releases = new Map<string, () => void>();

/** Resolves when no other page has the note, which is this page's until it is released or the tab is closed. */
const acquire = (name: string, signal?: AbortSignal): Promise<void> =>
  new Promise((acquired, fail) => {
    const hold = () =>
      new Promise<void>((release) => {
        releases.set(name, release);
        acquired();
      });
    navigator.locks.request(name, { signal }, hold).catch(fail);
  });

function release(name: string): void {
  releases.get(name)?.();
  releases.delete(name);
}

const find = (notes: readonly PendingNote[], key: string) => notes.find((note) => note.key === key);

export function usePendingNotes(type: RecordType, id: string) {
  const { account, who } = useCurrentAccount();
  const save = useSave(type, id);
  const [notes, setNotes] = useState<readonly PendingNote[]>([]);
  const current = useRef<readonly PendingNote[]>([]);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const isOpen = useRef(true);
  const prefix = `steward-sending/${who.person.id}/${account.id}/${type.name}/${id}/`;
  const latestSave = useRef(save);
  latestSave.current = save;

  const show = useCallback((next: readonly PendingNote[]) => {
    current.current = next;
    setNotes(next);
  }, []);
  const put = useCallback(
    (note: PendingNote) => {
      const isNew = find(current.current, note.key) === undefined;
      show(
        isNew
          ? [...current.current, note].toSorted((one, other) => one.at - other.at)
          : current.current.map((each) => (each.key === note.key ? note : each)),
      );
      try {
        keepNote(prefix + note.key, note);
      } catch {
        // storage is switched off: the note lives as long as the page
      }
    },
    [prefix, show],
  );
  const remove = useCallback(
    (key: string) => {
      show(current.current.filter((note) => note.key !== key));
      try {
        localStorage.removeItem(prefix + key);
      } catch {
        // it was not kept either
      }
      release(prefix + key);
    },
    [prefix, show],
  );

  const sendNow = useCallback(
    async (key: string) => {
      clearTimeout(timers.current.get(key));
      const note = find(current.current, key);
      if (note === undefined || note.state === "sending") return;
      put({ ...note, state: "sending" });
      try {
        const isSaved = await latestSave.current(note.changes, { key });
        // The status was left as the others have it; the note is still there to be edited or sent.
        if (isSaved) remove(key);
        else put({ ...note, state: "failed" });
      } catch (error) {
        put({ ...note, state: "failed", error });
      } finally {
        if (!isOpen.current) release(prefix + key);
      }
    },
    [prefix, put, remove],
  );

  const send = (note: Omit<PendingNote, "at" | "state" | "key">) => {
    const key = crypto.randomUUID();
    void acquire(prefix + key);
    put({ ...note, key, at: Date.now(), state: "waiting" });
    timers.current.set(
      key,
      setTimeout(() => void sendNow(key), sendDelay),
    );
  };

  /** Takes it back; null when it is too late. */
  const undo = (key: string): PendingNote | null => {
    const note = find(current.current, key);
    if (note === undefined || note.state === "sending") return null;
    clearTimeout(timers.current.get(key));
    remove(key);
    return note;
  };

  useEffect(() => {
    isOpen.current = true;
    const closing = new AbortController();
    /** What another page left behind may have arrived; where it has not, the person decides. */
    const offer = async (key: string) => {
      await acquire(prefix + key, closing.signal);
      const note = readKept(prefix + key);
      if (note === null) return release(prefix + key); // it was sent, or taken back
      const page = await recordsApi(account.id)
        .list(`${pagePath(type, id)}/notes`, { sort: "-id", per_page: "20" })
        .catch(() => null);
      if (closing.signal.aborted) return release(prefix + key);
      const own = ((page?.rows ?? []) as NoteRow[]).filter(({ person }) => person?.id === who.person.id);
      if (own.some(({ text }) => text.trim() === note.text.trim())) remove(key);
      else put({ ...note, state: "failed" });
    };
    const others = listKept(prefix).filter((key) => find(current.current, key) === undefined);
    for (const key of others) offer(key).catch(() => {}); // this page was left before they were
    const flush = () => {
      for (const note of current.current) {
        if (note.state !== "waiting") continue;
        clearTimeout(timers.current.get(note.key));
        revisionsApi(account.id).changeOnLeave(pagePath(type, id), buildBody(type, note.changes), note.key);
        release(prefix + note.key);
      }
      show(current.current.filter(({ state }) => state !== "waiting"));
    };
    addEventListener("pagehide", flush);
    return () => {
      isOpen.current = false;
      closing.abort();
      removeEventListener("pagehide", flush);
      // Another page is shown: there is nothing left to undo them with.
      for (const { key, state } of current.current) {
        if (state === "waiting") void sendNow(key);
        if (state === "failed") release(prefix + key);
      }
    };
  }, [account.id, id, sendNow, put, remove, show, prefix, type, who.person.id]);

  return { notes, send, undo, sendNow };
}
