import { useState } from "react";

// The widths that somebody has given columns, per account and collection, in this browser.

export type Widths = Readonly<Record<string, number>>;

export function useWidths(account: string, collection: string) {
  const key = `steward-widths-${account}-${collection}`;
  const [widths, setWidths] = useState<Widths>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}");
    } catch {
      return {}; // storage is switched off
    }
  });
  const set = (next: Widths) => {
    setWidths(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // they last as long as the page then
    }
  };
  return [widths, set] as const;
}
