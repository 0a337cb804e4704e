import type { Page } from "../api/index.ts";
import { formatNumber, formatRounded } from "../base/formats.ts";
import { t } from "../languages/index.ts";

/** The number of records in a list. A cached total lacks changes that others made within the last minute (D-785). */
export type Total = Pick<Page, "total" | "isTotalOld">;

const unknownTotal: Total = { total: 0, isTotalOld: false };

/** The {count} of a message: the number, which selects the plural form, or "about 12,300" (D-792). Unknown: 0. */
export const toCount = ({ total, isTotalOld }: Total = unknownTotal): string | number =>
  isTotalOld ? t("list.about", { count: formatRounded(total) }) : total;

/** Formats a total: "12,345" or "about 12,300". */
export const formatTotal = (known: Total): string => {
  const count = toCount(known);
  return typeof count === "number" ? formatNumber(count) : count;
};

/** For several lists shown as one. */
export const addTotals = (...totals: readonly Total[]): Total => ({
  total: totals.reduce((sum, { total }) => sum + total, 0),
  isTotalOld: totals.some(({ isTotalOld }) => isTotalOld),
});
