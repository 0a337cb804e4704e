import type { InboxItem } from "../../api/index.ts";

/** The rows that contain all words of the filter. */
export function filterItems(items: readonly InboxItem[], filter: string): readonly InboxItem[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const { id, subject, team, member, requested_for, service_instance } = item;
    const text = [id, subject, team?.name, member?.name, requested_for?.name, service_instance?.name]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
