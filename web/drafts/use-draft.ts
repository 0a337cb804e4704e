import { useSyncExternalStore } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { type Draft, isEmptyDraft } from "./draft.ts";
import type { DraftState, DraftStore } from "./draft-store.ts";
import { openDraft } from "./open-draft.ts";

// A draft survives reload, crash and sign-out, and continues in another tab or on another device.

export type DraftHandle = Draft &
  Pick<DraftState, "isLoaded" | "restored"> &
  Pick<DraftStore, "set" | "setText" | "remove"> & {
    store: DraftStore;
    isEmpty: boolean;
    /** a file is still uploading: reloading the page would lose it */
    isUploading: boolean;
    /** whether the interface may call it saved */
    isSaved: boolean;
  };

/** `key` is unique in the account: "request/48213/note". */
export function useDraft(key: string): DraftHandle {
  const { who, account } = useCurrentAccount();
  const store = openDraft(who.person.id, account.id, key);
  const { draft, isLoaded, restored, isStored, uploads } = useSyncExternalStore(store.subscribe, store.getState);
  const isEmpty = isEmptyDraft(draft);
  return {
    ...draft,
    ...{ store, isLoaded, restored, isEmpty, isUploading: uploads.length > 0 },
    isSaved: !isEmpty && isStored && uploads.length === 0,
    ...{ set: store.set, setText: store.setText, remove: store.remove },
  };
}
