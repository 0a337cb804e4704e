import { formatNumber } from "../base/formats.ts";
import { linkTo } from "../base/history.ts";

export type PageTab = {
  key: string;
  label: string;
  path: string;
  count?: number;
  /** the largest count shown exactly */
  most?: number;
};

const shownCount = (count: number, most: number): string =>
  count > most ? `${formatNumber(most)}+` : formatNumber(count);

/** On a phone the tabs may be wider than the page. */
const showTab = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });

/** Tabs in a page's bar: each has its own address. */
export function PageTabs({ label, tabs, active }: { label: string; tabs: readonly PageTab[]; active: string }) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map(({ key, label: name, path, count = 0, most = 999 }) => {
        const { component: _, ...link } = linkTo(path);
        return (
          <a
            key={key}
            className="page-tab"
            {...link}
            {...(key === active ? { "aria-current": "page" as const, ref: showTab } : {})}
          >
            {name}
            {count > 0 && <span className="page-tab-count numbers">{shownCount(count, most)}</span>}
          </a>
        );
      })}
    </nav>
  );
}
