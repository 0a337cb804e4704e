import { useMatch } from "@tanstack/react-router";
import { useEffect } from "react";

// The list from which a record was opened: its name, address and rows, so that a record page can link back and step
// through the rows. Stored per tab, so that it survives a reload.

export type SourceList = {
  label: string;
  /** the open tab of the list */
  part?: string | undefined;
  path: string;
  records: readonly { path: string }[];
};

const storageKey = "steward-came-from";

/** Called by a list with the addresses of its visible rows, in order. */
export function useAsSourceList(label: string, addresses: readonly string[], part?: string): void {
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    // The address changes before the page does: a list that renders while the next page loads must not take the new
    // address.
    if (location.pathname !== own) return;
    const path = location.pathname + location.search;
    setSourceList({ label, part, path, records: addresses.map((address) => ({ path: address })) });
  }, [label, part, own, addresses]);
}

function setSourceList(list: SourceList): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(list));
  } catch {
    // storage is disabled: the page links back to the collection
  }
}

/** The list, if the record at this address is one of its rows. */
export function getSourceList(path: string): (SourceList & { at: number }) | null {
  try {
    const list: SourceList | null = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    const at = list?.records.findIndex((record) => record.path === path) ?? -1;
    return list === null || at < 0 ? null : { ...list, at };
  } catch {
    return null;
  }
}

type Visit = { list: string; record: string; at: number };
let lastVisit: Visit | null = null;

/** Called by a record page, so that the list can return to the row the person last opened. */
export function useMarkVisited(sourceList: (SourceList & { at: number }) | null): void {
  const list = sourceList?.path ?? null;
  const at = sourceList?.at ?? 0;
  const record = sourceList?.records[at]?.path ?? "";
  useEffect(() => {
    if (list !== null) lastVisit = { list, record, at };
  }, [list, record, at]);
}

const withoutQuery = (path: string): string => path.replace(/\?.*$/, "");

/**
 * The record of this list that was opened last, and its position then: it may have left the list since. `search`: only
 * with these filters.
 */
export function getLastVisit(path: string, search?: string): Visit | null {
  if (lastVisit === null) return null;
  const isSame = search === undefined ? withoutQuery(lastVisit.list) === path : lastVisit.list === path + search;
  return isSame ? lastVisit : null;
}
