import { type RefObject, useEffect, useRef } from "react";
import { type DraftHandle, useDraft } from "../../../drafts/use-draft.ts";

export type ComposerTab = "reply" | "internal";

type Options = {
  /** "request/48213" */
  record: string;
  internal: boolean;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onRestoredTab(tab: ComposerTab): void;
};

/** The draft of the tab. Reply and internal note are drafts of their own, each with its files, time and next status. */
export function useComposerDraft({ record, internal, inputRef, onRestoredTab }: Options): DraftHandle {
  // Both are loaded: whoever changes the tab types on without a pause.
  const reply = useDraft(`${record}/note`);
  const internalNote = useDraft(`${record}/internal_note`);
  const [draft, other] = internal ? [internalNote, reply] : [reply, internalNote];

  const found = other.isEmpty ? "" : (other.restored?.at ?? "");
  const own = draft.isEmpty ? "" : (draft.restored?.at ?? "typed");
  // The page opens with the draft that was written last, unless the person writes already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a draft that was found changes the tab
  useEffect(() => {
    if (found > own && document.activeElement !== inputRef.current) onRestoredTab(internal ? "reply" : "internal");
  }, [reply.restored, internalNote.restored]);

  // Time and status that were chosen before the first word go along to the other tab.
  const shown = useRef(internal);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the tab moves them
  useEffect(() => {
    if (shown.current === internal) return;
    shown.current = internal;
    if (other.text.trim() !== "" || other.files.length > 0 || other.isEmpty) return;
    draft.set({ time: draft.time || other.time, next: draft.next ?? other.next });
    other.remove();
  }, [internal]);
  return draft;
}
