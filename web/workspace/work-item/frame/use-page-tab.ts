import { useSearchText } from "../../records/use-search-text.ts";
import type { PageParts, TabName } from "../page-parts.ts";

/** The tab is part of the address, so that a link can open it. Null: the page has no tabs. */
export function usePageTab({ tabs }: PageParts, isPhone: boolean): [TabName | null, (tab: TabName) => void] {
  const [wanted, setWanted] = useSearchText("tab");
  if (tabs === undefined) return [null, () => undefined];
  const first = isPhone ? tabs.firstOnPhone : tabs.first;
  const found = tabs.names.find(([name]) => name === wanted)?.[0];
  return [found ?? first, (tab) => setWanted(tab === first ? undefined : tab)];
}
