import { useCallback, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { t } from "../../languages/index.ts";
import { useStableHandler } from "../../parts/lists/stable-handler.ts";
import type { Apply } from "./apply-answer.ts";
import { buildItemActions, type InboxQuestion } from "./inbox-actions.ts";
import { buildItemKey } from "./inbox-groups.ts";
import { useItemChanges } from "./use-changes.ts";
import type { RowFocus } from "./use-row-focus.ts";

/** The commands on the selected rows, or on the focused one. */
export function useItemCommands({ rows, at, acting, selected, unselect, focus, move, setPeek }: RowFocus) {
  const { who, account } = useCurrentAccount();
  const { change } = useItemChanges();
  const [question, setQuestion] = useState<{ about: InboxQuestion; items: readonly InboxItem[] } | null>(null);
  const open = useCallback(
    (item: InboxItem, what?: string) => {
      const type = findEntry(item.type);
      if (type !== undefined)
        navigateTo(`${paths.record(account.id, type, item.id)}${what === undefined ? "" : `?do=${what}`}`);
    },
    [account.id],
  );
  const openRow = useCallback((item: InboxItem) => open(item), [open]);

  const me = { id: who.person.id, name: who.person.name };
  const apply: Apply = (items, build, describe) => {
    unselect();
    void change(items, build, describe);
  };
  const accept = (items: readonly InboxItem[]) =>
    apply(
      items,
      () => ({ body: { status: "accepted", member_id: me.id }, shown: { status: "accepted", member: me } }),
      (count) => t("inbox.done.accepted", { count }),
    );
  const finish = (items: readonly InboxItem[]) =>
    apply(
      items,
      ({ category }) => {
        const status = category === "approval" ? "approved" : "completed";
        return { body: { status }, shown: { status } };
      },
      (count) => t("inbox.done.completed", { count }),
    );
  /** A waiting row moves to the end of the list: the focus stays where it was, so that the person can continue. */
  const leaveWaiting = () => {
    if (selected.size === 0) move(at === rows.length - 1 ? -1 : 1);
  };
  // The current rows: others may change them while the dialog is open (D-757).
  const ask = (about: InboxQuestion) => setQuestion({ about, items: acting });
  const swipe = useStableHandler((item: InboxItem, direction: "right" | "left") => {
    focus(item);
    if (direction === "right") accept([item]);
    else setPeek(buildItemKey(item), false);
  });
  const actions = buildItemActions(acting, { accept, ask, finish, open });
  return { actions, openRow, swipe, apply, question, leaveWaiting, closeQuestion: () => setQuestion(null) };
}
