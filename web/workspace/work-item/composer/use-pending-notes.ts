import { useCallback, useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { recordsApi, revisionsApi } from "../../../api/index.ts";
import { buildBody, useSave } from "../../../parts/save/use-save.ts";
import { type NoteRow, pagePath } from "../../../queries/record-page.ts";
import { acquire, keepNote, listKept, type PendingNote, readKept, release } from "./unsent-notes.ts";

export type { PendingNote } from "./unsent-notes.ts";

// A note waits five seconds before it is sent: it can't be recalled afterwards, so that is the time to undo it. Waiting
// notes are stored in this browser, and are sent when the person leaves the page. A note stays stored until it is
// confirmed; all attempts use one idempotency key, so it is added once however often it is sent. Several can be
// pending, for example a reply and, right after it, a note to colleagues. One page holds a note, by a lock: the others,
// in this tab or another, offer it to the person only after that page has left it behind.

export const sendDelay = 5000; // milliseconds

const find = (notes: readonly PendingNote[], key: string) => notes.find((note) => note.key === key);

/** Whether the person's note is among the latest of the record. */
async function isOnServer(account: string, record: string, person: number, text: string): Promise<boolean> {
  const page = await recordsApi(account)
    .list<NoteRow>(`${record}/notes`, { sort: "-id", per_page: "20" })
    .catch(() => null);
  return page?.rows.some((note) => note.person?.id === person && note.text.trim() === text.trim()) ?? false;
}

/** The unsent notes of this page: displayed, and stored in this browser. */
function useKeptNotes(prefix: string) {
  const [notes, setNotes] = useState<readonly PendingNote[]>([]);
  const current = useRef<readonly PendingNote[]>([]);
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
        // storage is disabled: the note lasts as long as the page
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
        // it wasn't stored either
      }
      release(prefix + key);
    },
    [prefix, show],
  );
  /** The current notes, for callbacks. */
  const list = useCallback(() => current.current, []);
  return { notes, list, show, put, remove };
}

export function usePendingNotes(type: RecordType, id: string) {
  const { account, who } = useCurrentAccount();
  const save = useSave(type, id);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const isOpen = useRef(true);
  const prefix = `steward-sending/${who.person.id}/${account.id}/${type.name}/${id}/`;
  const { notes, list, show, put, remove } = useKeptNotes(prefix);
  const latestSave = useRef(save);
  latestSave.current = save;

  const sendNow = useCallback(
    async (key: string) => {
      clearTimeout(timers.current.get(key));
      const note = find(list(), key);
      if (note === undefined || note.state === "sending") return;
      put({ ...note, state: "sending" });
      try {
        const isSaved = await latestSave.current(note.changes, { key });
        // The person kept the others' status; the note can still be edited or sent.
        if (isSaved) remove(key);
        else put({ ...note, state: "failed" });
      } catch (error) {
        put({ ...note, state: "failed", error });
      } finally {
        if (!isOpen.current) release(prefix + key);
      }
    },
    [prefix, list, put, remove],
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

  /** Undoes the note; null if it is too late. */
  const undo = (key: string): PendingNote | null => {
    const note = find(list(), key);
    if (note === undefined || note.state === "sending") return null;
    clearTimeout(timers.current.get(key));
    remove(key);
    return note;
  };

  useEffect(() => {
    isOpen.current = true;
    const closing = new AbortController();
    const offer = async (key: string) => {
      await acquire(prefix + key, closing.signal);
      const note = readKept(prefix + key);
      if (note === null) return release(prefix + key); // it was sent or undone
      const hasArrived = await isOnServer(account.id, pagePath(type, id), who.person.id, note.text);
      if (closing.signal.aborted) return release(prefix + key);
      // A note that another page left behind may have arrived. If not, the person decides.
      if (hasArrived) remove(key);
      else put({ ...note, state: "failed" });
    };
    const others = listKept(prefix).filter((key) => find(list(), key) === undefined);
    for (const key of others) offer(key).catch(() => {}); // the person left this page before the other pages left theirs
    const flush = () => {
      for (const note of list()) {
        if (note.state !== "waiting") continue;
        clearTimeout(timers.current.get(note.key));
        revisionsApi(account.id).changeOnLeave(pagePath(type, id), buildBody(type, note.changes), note.key);
        release(prefix + note.key);
      }
      show(list().filter(({ state }) => state !== "waiting"));
    };
    addEventListener("pagehide", flush);
    return () => {
      isOpen.current = false;
      closing.abort();
      removeEventListener("pagehide", flush);
      // Another page is shown: the notes can't be undone there.
      for (const { key, state } of list()) {
        if (state === "waiting") void sendNow(key);
        if (state === "failed") release(prefix + key);
      }
    };
  }, [account.id, id, sendNow, list, put, remove, show, prefix, type, who.person.id]);

  return { notes, send, undo, sendNow };
}
