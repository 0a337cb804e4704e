import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { type DraftHandle, useDraft } from "../../../drafts/use-draft.ts";

export type ComposerTab = "reply" | "internal";

type Options = {
  /** "request/48213" */
  record: string;
  internal: boolean;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onRestoredTab(tab: ComposerTab): void;
};

/** `record`: "request/48213" */
export const noteDraftKey = (record: string, internal: boolean): string =>
  `${record}/${internal ? "internal_note" : "note"}`;

/** The draft of the tab. Reply and internal note are separate drafts, each with its files, time and next status. */
export function useComposerDraft({ record, internal, inputRef, onRestoredTab }: Options): DraftHandle {
  // Both are loaded, so that a person who changes the tab can continue typing immediately.
  const reply = useDraft(noteDraftKey(record, false));
  const internalNote = useDraft(noteDraftKey(record, true));
  const [draft, other] = internal ? [internalNote, reply] : [reply, internalNote];

  // Opens the tab of the latest draft, unless the person is already writing.
  const openLatest = useEffectEvent(() => {
    const found = other.isEmpty ? "" : (other.restored?.at ?? "");
    const own = draft.isEmpty ? "" : (draft.restored?.at ?? "typed");
    if (found > own && document.activeElement !== inputRef.current) onRestoredTab(internal ? "reply" : "internal");
  });
  const [replyFound, internalFound] = [reply.restored, internalNote.restored];
  useEffect(() => {
    if (replyFound !== null || internalFound !== null) openLatest();
  }, [replyFound, internalFound]);

  // Time and status chosen before the first word move to the other tab.
  const moveChoices = useEffectEvent(() => {
    if (other.text.trim() !== "" || other.files.length > 0 || other.isEmpty) return;
    draft.set({ time: draft.time || other.time, next: draft.next ?? other.next });
    other.remove();
  });
  const shown = useRef(internal);
  useEffect(() => {
    if (shown.current === internal) return;
    shown.current = internal;
    moveChoices();
  }, [internal]);
  return draft;
}
