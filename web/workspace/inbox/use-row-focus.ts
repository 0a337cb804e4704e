import { useMediaQuery } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem, InboxTab } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { getLastVisit } from "../../base/source-list.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { buildItemKey } from "./inbox-groups.ts";
import { usePrefetch } from "./use-prefetch.ts";

const noKeys: ReadonlySet<string> = new Set();

const keyOfPath = (path: string): string => {
  const [collection = "", id] = path.split("/").slice(-2);
  return `${findEntryByCollection(collection)?.name}-${id}`;
};

/** The focused row, the selected ones, and whether the record is shown beside the list. */
export function useRowFocus(tab: InboxTab, rows: readonly InboxItem[]) {
  const { account } = useCurrentAccount();
  const peek = useSearch({ strict: false, select: (search: { peek?: string }) => search.peek });
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const [visit] = useState(() => getLastVisit(paths.inbox(account.id, tab)));
  const [focused, setFocused] = useState<string | null>(visit === null ? (peek ?? null) : keyOfPath(visit.record));
  const [selected, setSelected] = useState(noKeys);
  const at = rows.findIndex((item) => buildItemKey(item) === focused);
  const current = rows[at] ?? null;
  useKeepFocus(rows, at, setFocused, visit?.at ?? 0);
  usePrefetch(current);

  const setPeek = useCallback(
    (key: string | null, replace = true) =>
      navigateTo(`${paths.inbox(account.id, tab)}${key === null ? "" : `?peek=${key}`}`, replace),
    [account.id, tab],
  );
  const focus = useCallback(
    (item: InboxItem) => {
      setFocused(buildItemKey(item));
      if (peek !== undefined) setPeek(buildItemKey(item));
      // A phone has no keys: a tap shows the record and its actions.
      else if (isPhone) setPeek(buildItemKey(item), false);
    },
    [peek, setPeek, isPhone],
  );
  const move = (step: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
    if (next !== undefined) focus(next);
  };
  const toggle = useCallback((item: InboxItem) => {
    setFocused(buildItemKey(item));
    setSelected((was) => {
      const next = new Set(was);
      if (!next.delete(buildItemKey(item))) next.add(buildItemKey(item));
      return next;
    });
  }, []);
  /** The rows on which an action operates. */
  const acting =
    selected.size > 0 ? rows.filter((item) => selected.has(buildItemKey(item))) : current === null ? [] : [current];
  return {
    rows,
    at,
    current,
    focused,
    setFocused,
    focus,
    move,
    peek,
    setPeek,
    selected,
    toggle,
    unselect: () => setSelected(noKeys),
    acting,
  };
}
export type RowFocus = ReturnType<typeof useRowFocus>;

/** A row that leaves the list passes the focus to the one that takes its place. */
function useKeepFocus(
  rows: readonly InboxItem[],
  at: number,
  setFocused: (key: string) => void,
  firstPlace: number,
): void {
  const [place, setPlace] = useState(firstPlace);
  useEffect(() => {
    const next = rows[Math.min(place, rows.length - 1)];
    if (next === undefined) return;
    if (at >= 0) setPlace(at);
    else setFocused(buildItemKey(next));
  }, [rows, at, place, setFocused]);
}
