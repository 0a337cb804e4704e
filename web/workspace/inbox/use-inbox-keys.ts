import { flushSync } from "react-dom";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxTab } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import type { buildItemActions } from "./inbox-actions.ts";
import { tabs } from "./inbox-bar.tsx";
import { buildItemKey } from "./inbox-groups.ts";
import type { RowFocus } from "./use-row-focus.ts";

type Inbox = {
  tab: InboxTab;
  place: RowFocus;
  actions: ReturnType<typeof buildItemActions>;
  filter: string;
  onFilter(text: string): void;
  onFilterOpen(isOpen: true): void;
};

/** The keys of the inbox: from row to row, from tab to tab, and all actions on a row. */
export function useInboxKeys({ tab, place, actions, filter, onFilter, onFilterOpen }: Inbox): void {
  const { account } = useCurrentAccount();
  const { current, peek, selected, move, setPeek, toggle, unselect } = place;
  const group = "list";
  const goToTab = (step: number) => {
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (next !== undefined) navigateTo(paths.inbox(account.id, next));
  };
  useActions([
    { id: "inbox.next", name: t("inbox.next"), group, keys: "j", keysOnly: true, run: () => move(1) },
    { id: "inbox.previous", name: t("inbox.previous"), group, keys: "k", keysOnly: true, run: () => move(-1) },
    {
      ...{ id: "inbox.peek", name: t("inbox.peek"), group, keys: "space", when: current !== null },
      run: () => setPeek(peek === undefined && current !== null ? buildItemKey(current) : null, peek !== undefined),
    },
    {
      ...{ id: "inbox.select", name: t("inbox.select"), group, keys: "x", when: current !== null },
      run: () => current !== null && toggle(current),
    },
    {
      ...{ id: "inbox.filter", name: t("inbox.filter"), group, keys: "f" },
      run: () => flushSync(() => onFilterOpen(true)),
    },
    { id: "inbox.nextTab", name: t("inbox.nextTab"), group, keys: "]", run: () => goToTab(1) },
    { id: "inbox.previousTab", name: t("inbox.previousTab"), group, keys: "[", run: () => goToTab(-1) },
    {
      ...{ id: "inbox.back", name: t("app.close"), group, keys: "escape", keysOnly: true },
      when: selected.size > 0 || peek !== undefined || filter !== "",
      run: () => (selected.size > 0 ? unselect() : peek !== undefined ? setPeek(null) : onFilter("")),
    },
    ...Object.values(actions),
  ]);
}
