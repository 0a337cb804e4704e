import { useEffect } from "react";

// The list that a record was opened from: its name, its address and its rows, so that a record page can lead back and
// walk on. Kept for the tab, so that it survives a reload.

export type CameFrom = {
  label: string;
  /** which of its tabs */
  part?: string | undefined;
  path: string;
  records: readonly { path: string }[];
};

const storageKey = "steward-came-from";

/** Called by a list with the addresses of the rows that it shows, in their order. */
export function useAsCameFrom(label: string, addresses: readonly string[], part?: string): void {
  useEffect(() => {
    const path = location.pathname + location.search;
    setCameFrom({ label, part, path, records: addresses.map((address) => ({ path: address })) });
  }, [label, part, addresses]);
}

function setCameFrom(list: CameFrom): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(list));
  } catch {
    // storage is switched off: the page leads back to the collection
  }
}

/** The list, if the record at this address is one of its rows. */
export function getCameFrom(path: string): (CameFrom & { at: number }) | null {
  try {
    const list = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as CameFrom | null;
    const at = list?.records.findIndex((record) => record.path === path) ?? -1;
    return list === null || at < 0 ? null : { ...list, at };
  } catch {
    return null;
  }
}
