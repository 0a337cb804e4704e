import { useCallback, useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { recordsApi, revisionsApi } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { type NoteRow, pagePath } from "../queries.ts";
import { buildBody, type Changes, useSave } from "../save/use-save.ts";

// A note waits five seconds before it is sent: a note cannot be recalled, so that is the time to undo it. What waits is
// kept in this browser, and is sent when the page is left. It stays there until it is known to have arrived; all attempts
// have one key, so the note is added once however often it is sent.

export type PendingNote = {
  text: string;
  internal: boolean;
  changes: Changes;
  at: number;
  /** absent in what an older version of the page left behind */
  key?: string;
  state: "waiting" | "sending" | "failed";
  error?: unknown;
};

export const sendDelay = 5000; // milliseconds

function readLeft(storageKey: string): PendingNote | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "null") as PendingNote | null;
  } catch {
    return null; // not ours
  }
}

/** Whether the record has the person's note already; clocks may differ by a minute. */
async function hasArrived(
  api: ReturnType<typeof recordsApi>,
  path: string,
  note: PendingNote,
  person: number,
): Promise<boolean> {
  const page = await api.list(`${path}/notes`, { sort: "-id", per_page: "20" }).catch(() => null);
  return (page?.rows ?? []).some((row) => {
    const { text, person: author } = row as NoteRow;
    return author?.id === person && text.trim() === note.text.trim();
  });
}

export function usePendingNote(type: RecordType, id: string) {
  const { account, who } = useCurrentAccount();
  const save = useSave(type, id);
  const [pending, setPending] = useState<PendingNote | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const current = useRef<PendingNote | null>(null);
  const storageKey = `steward-sending/${who.person.id}/${account.id}/${type.name}/${id}`;
  const latestSave = useRef(save);
  latestSave.current = save;

  const set = useCallback(
    (next: PendingNote | null) => {
      current.current = next;
      setPending(next);
      try {
        if (next === null) localStorage.removeItem(storageKey);
        else localStorage.setItem(storageKey, JSON.stringify({ ...next, error: undefined }));
      } catch {
        // storage is switched off: the note lives as long as the page
      }
    },
    [storageKey],
  );

  const sendNow = useCallback(async () => {
    clearTimeout(timer.current);
    const note = current.current;
    if (note === null || note.state === "sending") return;
    set({ ...note, state: "sending" });
    try {
      await latestSave.current(note.changes, note.key === undefined ? {} : { key: note.key });
      set(null);
    } catch (error) {
      set({ ...note, state: "failed", error });
    }
  }, [set]);

  const send = (note: Omit<PendingNote, "at" | "state" | "key">) => {
    set({ ...note, at: Date.now(), key: crypto.randomUUID(), state: "waiting" });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void sendNow(), sendDelay);
  };

  /** Takes it back; null when it is too late. */
  const undo = (): PendingNote | null => {
    const note = current.current;
    if (note === null || note.state === "sending") return null;
    clearTimeout(timer.current);
    set(null);
    return note;
  };

  useEffect(() => {
    // What an earlier page left behind may have arrived; where it has not, the person decides.
    const left = readLeft(storageKey);
    let isCurrent = true;
    if (left !== null && current.current === null)
      void hasArrived(recordsApi(account.id), pagePath(type, id), left, who.person.id).then((arrived) => {
        if (!isCurrent || current.current !== null) return;
        set(arrived ? null : { ...left, state: "failed" });
      });
    const flush = () => {
      const note = current.current;
      if (note?.state !== "waiting") return;
      clearTimeout(timer.current);
      current.current = null;
      const key = note.key ?? crypto.randomUUID();
      revisionsApi(account.id).changeOnLeave(pagePath(type, id), buildBody(type, note.changes), key);
    };
    addEventListener("pagehide", flush);
    return () => {
      isCurrent = false;
      removeEventListener("pagehide", flush);
      // Another page is shown: there is nothing left to undo it with.
      if (current.current?.state === "waiting") void sendNow();
    };
  }, [account.id, id, sendNow, set, storageKey, type, who.person.id]);

  return { pending, send, undo, sendNow };
}
