import { del, get, set } from "idb-keyval";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, type KeptItem, keptApi, liveApi } from "../api.ts";
import { useCurrentAccount } from "../current-account.ts";

// Text that survives reload, crash and sign-out: in this browser at once, on the server two seconds later and when the page
// is closed. The key names person, account, record and field.

type Draft = { text: string; at: string };

const serverDelay = 2000; // milliseconds

export type DraftState = {
  text: string;
  setText(text: string): void;
  /** The text was sent, or is not wanted any more. */
  remove(): void;
  /** false until the kept text is known: an input shown before would be overwritten */
  isLoaded: boolean;
  /** a text that was found when the page opened: when it was written, and whether in another browser */
  restored: { at: string; elsewhere: boolean } | null;
};

const newest = (one: Draft | undefined, other: Draft | undefined): Draft | undefined =>
  one === undefined || (other !== undefined && other.at > one.at) ? other : one;

/** Changes of drafts that are on their way: what is read before they have arrived is old. */
let sending: Promise<unknown> = Promise.resolve();
let loading: { account: string; at: number; items: Promise<readonly KeptItem<Draft>[]> } | null = null;

/** All drafts of the person in one call, which serves all fields of a page that opens. */
function loadKept(account: string): Promise<readonly KeptItem<Draft>[]> {
  if (loading === null || loading.account !== account || Date.now() - loading.at > 1000)
    loading = { account, at: Date.now(), items: sending.then(() => keptApi(account).list<Draft>("draft")) };
  return loading.items;
}

/** `key` is unique in the account: "request/48213/note". An empty text is no draft. */
export function useDraft(key: string): DraftState {
  const { who, account } = useCurrentAccount();
  const localKey = `draft/${who.person.id}/${account.id}/${key}`;
  const [text, setShown] = useState("");
  const [isLoaded, setLoaded] = useState(false);
  const [restored, setRestored] = useState<DraftState["restored"]>(null);
  /** not yet on the server; "" stands for a removed draft */
  const unsent = useRef<Draft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const typed = useRef(false);
  /** whether the server has a text; null: not known yet */
  const isKept = useRef<boolean | null>(null);

  const sendNow = useCallback(
    (isLeaving: boolean) => {
      clearTimeout(timer.current);
      const draft = unsent.current;
      if (draft === null) return;
      unsent.current = null;
      const api = liveApi(account.id);
      if (draft.text === "" && isKept.current === false) return; // sent before it ever left this browser
      isKept.current = draft.text !== "";
      const call = draft.text === "" ? api.removeDraft(key) : api.keepDraft(key, draft, isLeaving);
      const sent = call.catch((error: unknown) => {
        // Without a connection the next keystroke tries again; the text is kept in this browser in any case.
        if (error instanceof ApiError && error.status === 0) unsent.current ??= draft;
      });
      sending = Promise.all([sending, sent]);
      loading = null;
    },
    [account.id, key],
  );

  useEffect(() => {
    let isCurrent = true;
    typed.current = false;
    isKept.current = null;
    setShown("");
    setRestored(null);
    setLoaded(false);
    const show = (draft: Draft | undefined, elsewhere: boolean) => {
      if (!isCurrent || typed.current || draft === undefined || draft.text === "") return;
      setShown(draft.text);
      setRestored({ at: draft.at, elsewhere });
    };
    void (async () => {
      const local = await get<Draft>(localKey).catch(() => undefined);
      show(local, false);
      if (isCurrent) setLoaded(true);
      const kept = await loadKept(account.id)
        .then((items) => items.find((item) => item.key === key && item.owner === "me"))
        .catch(() => undefined);
      if (isCurrent) isKept.current ??= kept !== undefined;
      if (kept !== undefined && newest(local, kept.value) === kept.value && kept.value.text !== local?.text)
        show(kept.value, true);
    })();
    const onPageHide = () => sendNow(true);
    addEventListener("pagehide", onPageHide);
    return () => {
      isCurrent = false;
      removeEventListener("pagehide", onPageHide);
      sendNow(false);
    };
  }, [localKey, key, account.id, sendNow]);

  const setText = useCallback(
    (next: string) => {
      typed.current = true;
      setShown(next);
      const draft = { text: next, at: new Date().toISOString() };
      void (next === "" ? del(localKey) : set(localKey, draft)).catch(() => {}); // storage may be switched off
      unsent.current = draft;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => sendNow(false), serverDelay);
    },
    [localKey, sendNow],
  );

  const remove = useCallback(() => {
    setText("");
    setRestored(null);
    sendNow(false);
  }, [setText, sendNow]);

  return { text, setText, remove, isLoaded, restored };
}
