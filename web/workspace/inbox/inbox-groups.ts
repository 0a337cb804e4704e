import type { InboxItem } from "../../api/index.ts";
import { daysAway } from "../../base/moments.ts";
import type { MessageKey } from "../../languages/index.ts";

// The rows of the inbox grouped by the next target, or by another field that the reader chose.

export type Grouping = "target" | "team" | "status";
export const groupings: readonly Grouping[] = ["target", "team", "status"];

export type InboxGroup = { key: string; label: string | null; message: MessageKey | null; items: readonly InboxItem[] };

const hour = 3_600_000;
const targetGroups = ["overdue", "hour", "today", "later", "stopped", "none"] as const;
export type TargetGroup = (typeof targetGroups)[number];

export function pickTargetGroup(target: string | null, now: number): TargetGroup {
  if (target === "clock_stopped") return "stopped";
  const at = target === null ? Number.NaN : Date.parse(target);
  if (Number.isNaN(at)) return "none";
  if (at < now) return "overdue";
  if (at - now < hour) return "hour";
  return daysAway(at, now) <= 0 ? "today" : "later";
}

export const buildItemKey = ({ type, id }: Pick<InboxItem, "type" | "id">): string => `${type}-${id}`;

function groupBy(items: readonly InboxItem[], pick: (item: InboxItem) => string): Map<string, InboxItem[]> {
  const groups = new Map<string, InboxItem[]>();
  for (const item of items) groups.set(pick(item), [...(groups.get(pick(item)) ?? []), item]);
  return groups;
}

export function groupItems(
  items: readonly InboxItem[],
  grouping: Grouping,
  now: number,
  nameStatus: (item: InboxItem) => string,
): InboxGroup[] {
  if (grouping === "target") {
    const groups = groupBy(items, ({ next_target_at }) => pickTargetGroup(next_target_at, now));
    return targetGroups
      .filter((key) => groups.has(key))
      .map((key) => ({ key, label: null, message: `inbox.group.${key}`, items: groups.get(key) ?? [] }));
  }
  const pick = grouping === "team" ? ({ team }: InboxItem) => team?.name ?? "" : nameStatus;
  return [...groupBy(items, pick)].map(([label, inside]) => ({
    key: label,
    label: label === "" ? null : label,
    message: label === "" ? "inbox.group.noTeam" : null,
    items: inside,
  }));
}

/** The next time at which a row changes its group or the color of its target. */
export function findNextBoundary(items: readonly InboxItem[], now: number): number | null {
  const moments = items.flatMap(({ next_target_at }) => {
    const at = next_target_at === null ? Number.NaN : Date.parse(next_target_at);
    return Number.isNaN(at) ? [] : [at, at - 20 * 60_000, at - hour].filter((moment) => moment > now);
  });
  return moments.length === 0 ? null : Math.min(...moments);
}
