import type { ReactNode } from "react";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { formatTotal, type Total } from "../../../queries/total.ts";
import type { TabName } from "../page-parts.ts";
import type { WorkItem } from "./use-work-item.ts";

type Props = {
  page: WorkItem;
  icons: Partial<Record<TabName, IconComponent>>;
  counts: Partial<Record<TabName, Total | undefined>>;
  /** the page's own tabs */
  children: ReactNode;
};

/** The tabs of a workflow or a project. */
export function PageTabs({ page, icons, counts, children }: Props) {
  const { tabs } = page.parts;
  if (tabs === undefined) return null;
  return (
    <div className="workflow-tabs">
      <div role="tablist" aria-label={t(tabs.label)} className="tabs">
        {tabs.names.map(([name, label]) => {
          const [icon, count] = [icons[name], counts[name]];
          return (
            <button
              key={name}
              type="button"
              role="tab"
              className="tab"
              aria-selected={page.tab === name}
              onClick={() => page.setTab(name)}
            >
              {icon !== undefined && <Icon of={icon} />} {t(label)}
              {count !== undefined && count.total > 0 && (
                <span className="tab-count numbers">{formatTotal(count)}</span>
              )}
            </button>
          );
        })}
      </div>
      {children}
    </div>
  );
}
