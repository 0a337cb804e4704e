import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { formatMinutes } from "../../../base/moments.ts";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import type { AuditRow, NoteRow, TimeEntryRow } from "../../../queries/record-page.ts";
import { useSearchText } from "../../records/use-search-text.ts";
import type { PageParts } from "../page-parts.ts";
import { isRemarkable, type TimelineTab, timelineTabs } from "./build-entries.ts";

const orderKey = "steward-timeline-order";
export type TimelineOrder = "oldest" | "newest";

const readOrder = (): TimelineOrder => {
  try {
    return localStorage.getItem(orderKey) === "newest" ? "newest" : "oldest";
  } catch {
    return "oldest";
  }
};

/** The order is stored in this browser. */
export function useTimelineOrder(): [TimelineOrder, (order: TimelineOrder) => void] {
  const [order, setOrder] = useState(readOrder);
  const set = (wanted: TimelineOrder) => {
    setOrder(wanted);
    try {
      localStorage.setItem(orderKey, wanted);
    } catch {
      // not stored: it lasts as long as the page
    }
  };
  return [order, set];
}

/** The tab is part of the address, so that a link can open it. */
export function useTimelineTab(): [TimelineTab, (tab: TimelineTab) => void] {
  const [tab, setTab] = useSearchText("tab");
  const set = (wanted: TimelineTab) => setTab(wanted === "everything" ? undefined : wanted);
  return [timelineTabs.find((each) => each === tab) ?? "everything", set];
}

type Counts = Readonly<Record<TimelineTab, string>>;

/** The counts beside the tabs' names. */
export function countEntries(
  notes: readonly NoteRow[],
  changes: readonly AuditRow[],
  time: readonly TimeEntryRow[],
): Counts {
  const spent = time.reduce((sum, entry) => sum + entry.time_spent, 0);
  return {
    everything: "",
    conversation: String(notes.filter(({ internal }) => internal !== true).length),
    internal: String(notes.filter(({ internal }) => internal === true).length),
    changes: String(changes.filter(isRemarkable).length),
    time: spent === 0 ? "" : formatMinutes(spent),
  };
}

type Props = {
  type: RecordType;
  parts: PageParts;
  tab: TimelineTab;
  order: TimelineOrder;
  counts: Counts;
  onTab(tab: TimelineTab): void;
  onOrder(order: TimelineOrder): void;
};

export function TimelineBar({ type, parts, tab, order, counts, onTab, onOrder }: Props) {
  const tabs = timelineTabs.filter(
    (each) => (each !== "internal" || parts.hasInternalNotes) && (each !== "time" || "time_entries" in type.lists),
  );
  return (
    <div className="timeline-bar">
      <div role="tablist" aria-label={t("request.timeline")} className="tabs">
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            className="tab"
            aria-selected={tab === each}
            onClick={() => onTab(each)}
          >
            {t(`request.tab.${each}`)}
            {counts[each] !== "" && <span className="tab-count numbers">{counts[each]}</span>}
          </button>
        ))}
      </div>
      <Select
        size="xs"
        className="timeline-order"
        aria-label={t("request.noteOrder")}
        allowDeselect={false}
        data={[
          { value: "oldest", label: t("request.oldest") },
          { value: "newest", label: t("request.newest") },
        ]}
        value={order}
        onChange={(wanted) => onOrder(wanted === "newest" ? "newest" : "oldest")}
      />
    </div>
  );
}
