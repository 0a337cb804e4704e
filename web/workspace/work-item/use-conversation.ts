import { type RefObject, useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { useNotes } from "../../queries/record-page.ts";
import type { ComposerTab } from "./composer/use-composer-draft.ts";
import { usePendingNotes } from "./composer/use-pending-notes.ts";
import { useUndoNote } from "./composer/use-undo-note.ts";

// The timeline and its composer: the text being written, unsent notes, and other people's new notes.

type News = { name: string; at: string; id: number };

/** The last unread note that another person has written since the reader began to write. */
function useNews(type: RecordType, id: string, writingSince: number | null): [News | null, () => void] {
  const { who } = useCurrentAccount();
  const notes = useNotes(type, id);
  const [readUntil, setReadUntil] = useState(0);
  if (writingSince === null) return [null, () => undefined];
  // A note's time has no fraction, so one in the same second counts as later.
  const began = Math.max(writingSince - 1000, readUntil);
  const later = notes.data?.notes.findLast(
    (note) => Date.parse(note.created_at) >= began && note.person?.id !== who.person.id && note.medium !== "system",
  );
  if (later === undefined) return [null, () => undefined];
  const read = () => {
    setReadUntil(Date.parse(later.created_at) + 1000);
    document.getElementById(`note-${later.id}`)?.scrollIntoView({ block: "center", behavior: "smooth" });
  };
  return [{ name: later.person?.name ?? "", at: later.created_at, id: later.id }, read];
}

export type Conversation = {
  tab: ComposerTab;
  setTab(tab: ComposerTab): void;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** the part of the page that scrolls */
  readingRef: RefObject<HTMLDivElement | null>;
  startReading(): void;
  /** opens the input of a tab */
  write(tab: ComposerTab): void;
  isWriting: boolean;
  onWriting(since: number | null): void;
  news: News | null;
  read(): void;
  sending: ReturnType<typeof usePendingNotes>;
  /** undoes an unsent note and restores its text */
  undoNote(key: string): void;
};

export function useConversation(type: RecordType, row: Row): Conversation {
  const id = String(row.id);
  const [tab, setTab] = useState<ComposerTab>("reply");
  const [writingSince, setWritingSince] = useState<number | null>(null);
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const readingRef = useRef<HTMLDivElement>(null);
  const [news, read] = useNews(type, id, writingSince);
  const sending = usePendingNotes(type, id);
  const undoNote = useUndoNote(type, id, sending, inputRef);
  const startReading = () => readingRef.current?.focus({ preventScroll: true });
  // Scrolling keys act on the conversation; on a fresh page the first Tab focuses the link that skips the menu.
  useEffect(() => {
    if (document.activeElement === document.body && navigator.userActivation?.hasBeenActive)
      readingRef.current?.focus({ preventScroll: true });
  }, []);
  return {
    ...{ tab, setTab, inputRef, readingRef, startReading, news, read, sending },
    isWriting: writingSince !== null,
    write(wanted) {
      setTab(wanted);
      inputRef.current?.focus();
    },
    onWriting: (since) => setWritingSince((was) => (since === null ? null : (was ?? since))),
    undoNote(key) {
      const note = undoNote(key);
      if (note !== null) setTab(note.internal ? "internal" : "reply");
    },
  };
}
