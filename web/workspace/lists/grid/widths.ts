import { useState } from "react";

// The column widths set by the person, per account and collection, in this browser.

export type Widths = Readonly<Record<string, number>>;

export function useWidths(account: string, collection: string) {
  const key = `steward-widths-${account}-${collection}`;
  const [widths, setWidths] = useState<Widths>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}");
    } catch {
      return {}; // storage is disabled
    }
  });
  const set = (next: Widths) => {
    setWidths(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // not stored: they last as long as the page
    }
  };
  return [widths, set] as const;
}
