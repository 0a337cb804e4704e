import { type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import type { DraftHandle } from "../../../drafts/use-draft.ts";
import { parseMinutes } from "../../../fields/time/parse-minutes.ts";
import type { Changes } from "../../../parts/save/use-save.ts";
import type { PageParts } from "../page-parts.ts";
import { writeMarks } from "./mentions.ts";
import { type ComposerTab, useComposerDraft } from "./use-composer-draft.ts";
import { appendPictures, type Files, toAttachments, useFiles } from "./use-files.ts";
import type { PendingNote } from "./use-pending-notes.ts";

export type ComposeOptions = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  tab: ComposerTab;
  /** a draft of this tab was restored */
  onRestoredTab(tab: ComposerTab): void;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** another person's note since this person began writing: read it first */
  news: { name: string; at: string } | null;
  /** reports since when the person has been writing; null: no longer */
  onWriting(since: number | null): void;
  onSend(note: Omit<PendingNote, "at" | "state" | "key">): void;
  /** the text was sent, or left for later: single keys act on the record again */
  onLeave?(): void;
};

export type Compose = {
  internal: boolean;
  draft: DraftHandle;
  files: Files;
  write(text: string): void;
  send(): void;
  maySend: boolean;
  isTimeOpen: boolean;
  setTimeOpen(isOpen: boolean): void;
  /** the person wanted to send, and was first shown the others' notes */
  isAskedToRead: boolean;
  /** returns the focus to the text after a choice beside it */
  goOn(): void;
  /** inserts marks around the selection */
  surround(before: string, after?: string): void;
  /** inserts a text at the cursor */
  insert(text: string): void;
};

/** The record change for a draft that is sent. */
function buildChanges(draft: DraftHandle, internal: boolean, written: string, minutes: number | null): Changes {
  const field = internal ? "internal_note" : "note";
  const files = toAttachments(draft.files);
  const { next } = draft;
  return {
    ...(written === "" ? {} : { [field]: written }),
    ...(files.length === 0 ? {} : { [`${field}_attachments`]: files }),
    ...(next === null ? {} : { status: next.status }),
    ...(next?.until === undefined ? {} : { waiting_until: next.until }),
    ...(minutes ? { time_spent: minutes } : {}),
  };
}

/** Replaces the selection of the input; `selection`: the new selection, relative to its start. */
function replaceSelection(
  input: HTMLTextAreaElement | null,
  text: string,
  write: (text: string) => void,
  build: (selected: string) => { replacement: string; selection: readonly [start: number, end: number] },
): void {
  const from = input?.selectionStart ?? text.length;
  const to = input?.selectionEnd ?? from;
  const { replacement, selection } = build(text.slice(from, to));
  flushSync(() => write(text.slice(0, from) + replacement + text.slice(to)));
  input?.focus();
  input?.setSelectionRange(from + selection[0], from + selection[1]);
}

/** The text being written, and sending it: note, time spent and next status are one save. */
export function useCompose(options: ComposeOptions): Compose {
  const { type, row, parts, inputRef, news, onWriting, onSend, onLeave } = options;
  const internal = options.tab === "internal" && parts.hasInternalNotes;
  const record = `${type.name}/${row.id}`;
  const draft = useComposerDraft({ record, internal, inputRef, onRestoredTab: options.onRestoredTab });
  const files = useFiles(draft);
  const [isTimeOpen, setTimeOpen] = useState(false);
  const [isAskedToRead, setAskedToRead] = useState(false);
  const { text, time, next } = draft;
  const minutes = parseMinutes(time);
  const isUnreadable = time.trim() !== "" && minutes === null;
  const isEmpty = text.trim() === "" && files.files.length === 0;
  const hasNothing = isEmpty && next === null && !minutes && !isUnreadable;
  const maySend = !draft.isUploading && !hasNothing;
  const write = (value: string) => {
    draft.setText(value);
    onWriting(value.trim() === "" ? null : Date.now());
  };
  const send = () => {
    if (!maySend) return;
    // An invalid time isn't dropped: the person must correct it first.
    if (isUnreadable) return setTimeOpen(true);
    if (news !== null && !isAskedToRead) return setAskedToRead(true);
    const written = appendPictures(writeMarks(text.trim(), draft.mentions), draft.files);
    const changes = buildChanges(draft, internal, written, minutes);
    const kept = { text, files: draft.files, time, next, mentions: draft.mentions };
    onSend({ text: written, internal, changes, written: kept });
    draft.remove();
    setTimeOpen(false);
    setAskedToRead(false);
    onWriting(null);
    onLeave?.();
  };
  return {
    ...{ internal, draft, files, write, send, maySend, isTimeOpen, setTimeOpen, isAskedToRead },
    goOn: () => void setTimeout(() => inputRef.current?.focus()),
    surround(before, after = before) {
      if (inputRef.current === null) return;
      replaceSelection(inputRef.current, text, write, (selected) => ({
        replacement: before + selected + after,
        selection: [before.length, before.length + selected.length],
      }));
    },
    insert: (added) =>
      replaceSelection(inputRef.current, text, write, () => ({
        replacement: added,
        selection: [added.length, added.length],
      })),
  };
}
