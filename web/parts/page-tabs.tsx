import { linkTo } from "../history.ts";

export type PageTab = { key: string; label: string; path: string; count?: number };

const shownCount = (count: number): string => (count >= 1000 ? "999+" : String(count));

/** Tabs in the bar of a page: each has an address of its own. */
export function PageTabs({ label, tabs, active }: { label: string; tabs: readonly PageTab[]; active: string }) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map(({ key, label: name, path, count = 0 }) => {
        const { component: _, ...link } = linkTo(path);
        return (
          <a key={key} className="page-tab" {...link} aria-current={key === active ? "page" : undefined}>
            {name}
            {count > 0 && <span className="page-tab-count numbers">{shownCount(count)}</span>}
          </a>
        );
      })}
    </nav>
  );
}
