import { useEffect, useMemo, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem, InboxTab } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { useAsSourceList } from "../../base/source-list.ts";
import { findEntry } from "../../base/type-index.ts";
import { t } from "../../languages/index.ts";
import { refreshNow, useNow } from "../../parts/now.ts";
import { statusLabel } from "../../parts/work/status.tsx";
import { filterItems } from "./filter-items.ts";
import { findNextBoundary, type Grouping, groupItems } from "./inbox-groups.ts";

/** The displayed rows of a tab: filtered and grouped. */
export function useInboxRows(tab: InboxTab, items: readonly InboxItem[], filter: string) {
  const { account } = useCurrentAccount();
  const now = useNow();
  const [grouping, setGrouping] = useState<Grouping>("target");
  const shown = useMemo(() => filterItems(items, filter), [items, filter]);
  const groups = useMemo(
    () => groupItems(shown, grouping, now, ({ type, status }) => statusLabel(type, status)),
    [shown, grouping, now],
  );
  const rows = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  useBoundaries(rows, now);
  useAsSourceList(
    t("menu.inbox"),
    useMemo(
      () =>
        rows.flatMap((item) => {
          const type = findEntry(item.type);
          return type === undefined ? [] : [paths.record(account.id, type, item.id)];
        }),
      [rows, account.id],
    ),
    t(`inbox.tab.${tab}`),
  );
  return { groups, rows, grouping, setGrouping };
}

/** Colors and groups change exactly on time, not with the next tick of the shared clock. */
function useBoundaries(rows: readonly InboxItem[], now: number): void {
  useEffect(() => {
    const next = findNextBoundary(rows, now);
    if (next === null || next - now > 60_000) return;
    const timer = setTimeout(refreshNow, next - now + 50);
    return () => clearTimeout(timer);
  }, [rows, now]);
}
