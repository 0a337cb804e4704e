import type { RefObject } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { joinDrafts } from "../../../drafts/draft.ts";
import { openDraft } from "../../../drafts/open-draft.ts";
import { noteDraftKey } from "./use-composer-draft.ts";
import type { PendingNote, usePendingNotes } from "./use-pending-notes.ts";

/** Undoes an unsent note. Its text goes back into the composer, before any text begun since. Null: too late. */
export function useUndoNote(
  type: RecordType,
  id: string,
  sending: Pick<ReturnType<typeof usePendingNotes>, "undo">,
  inputRef: RefObject<HTMLTextAreaElement | null>,
): (key: string) => PendingNote | null {
  const { account, who } = useCurrentAccount();
  return (key) => {
    const note = sending.undo(key);
    if (note === null) return null;
    const draft = openDraft(who.person.id, account.id, noteDraftKey(`${type.name}/${id}`, note.internal));
    draft.set((begun) => joinDrafts(note.written, begun));
    inputRef.current?.focus();
    return note;
  };
}
