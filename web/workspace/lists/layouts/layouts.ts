import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { orderStatuses } from "../../../queries/status-order.ts";

// A list is a table, a board with a column per status, or a calendar by a date.

export const layouts = ["table", "board", "calendar"] as const;
export type Layout = (typeof layouts)[number];

const momentKinds = ["target", "datetime", "date"];

/** The date fields for a calendar: the target first, the dates of every record last. */
export function listDateFields(type: RecordType): string[] {
  const rank = (name: string) =>
    type.fields[name]?.kind === "target" || name.endsWith("_target_at")
      ? 0
      : /^(created|updated)_at$/.test(name)
        ? 2
        : 1;
  return type.filterable
    .filter((name) => momentKinds.includes(type.fields[name]?.kind ?? ""))
    .sort((one, other) => rank(one) - rank(other));
}

export const listStatuses = (type: RecordType): readonly string[] => orderStatuses(type.states?.states ?? []);

export const canLayOut = (type: RecordType, layout: Layout): boolean =>
  layout === "table" ||
  (layout === "board" ? listStatuses(type).length > 0 && type.name !== "release" : listDateFields(type).length > 0);

export const parseLayout = (type: RecordType, text: string | undefined): Layout => {
  const wanted = layouts.find((each) => each === text) ?? "table";
  return canLayOut(type, wanted) ? wanted : "table";
};
