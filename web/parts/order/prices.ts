import {
  formatMoney,
  listPrices,
  type Price,
  type PricedLine,
  sumPrices,
} from "../../../records/figures/order-prices.ts";
import { currentLocale, t } from "../../languages/index.ts";

// The prices of order lines, in the reader's language.

export type { PricedLine } from "../../../records/figures/order-prices.ts";

function formatPrice({ amount, currency, period }: Price): string {
  const price = formatMoney(currentLocale(), amount, currency);
  return period === null ? price : t("order.recurring", { period, price });
}

/** "€2,401", "€60.50 a month"; empty if it is free. */
export const listPriceTexts = (line: PricedLine): string[] => listPrices(line).map(formatPrice);

/** "€2,401, €60.50 a month" */
export const describePrices = (line: PricedLine): string => listPriceTexts(line).join(", ");

/** "Total: €2,401 + €60.50 a month"; empty if it is free. */
export function describeTotal(lines: readonly PricedLine[]): string {
  const price = sumPrices(lines).map(formatPrice).join(" + ");
  return price === "" ? "" : t("order.total", { price });
}
