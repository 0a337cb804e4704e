import { t } from "../words.ts";
import { formatMoney } from "./money.ts";

// What order lines cost, once and again and again.

export type PricedLine = {
  name: string;
  quantity: string | number;
  price: string | number | null;
  price_currency: string | null;
  recurring_price: string | number | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
};
type Price = { amount: number; currency: string | null; period: string | null };

function listPrices(line: PricedLine): Price[] {
  const multiply = (price: string | number) => Number(price) * Number(line.quantity);
  return [
    ...(line.price === null ? [] : [{ amount: multiply(line.price), currency: line.price_currency, period: null }]),
    ...(line.recurring_price === null
      ? []
      : [
          {
            amount: multiply(line.recurring_price),
            currency: line.recurring_price_currency,
            period: line.recurring_period ?? "other",
          },
        ]),
  ];
}

function formatPrice({ amount, currency, period }: Price): string {
  const price = formatMoney(Number(amount.toFixed(2)), currency);
  return period === null ? price : t("shop.recurring", { period, price });
}

/** "€2,401, €60.50 a month"; empty: it costs nothing. */
export const describePrices = (line: PricedLine): string => listPrices(line).map(formatPrice).join(", ");

/** One sum for each period and currency, what is paid once first: those are not added up. */
export function describeTotals(lines: readonly PricedLine[]): string {
  const sums = new Map<string, Price>();
  const prices = lines.flatMap(listPrices);
  for (const price of [
    ...prices.filter(({ period }) => period === null),
    ...prices.filter((each) => each.period !== null),
  ]) {
    const key = `${price.period} ${price.currency}`;
    sums.set(key, { ...price, amount: price.amount + (sums.get(key)?.amount ?? 0) });
  }
  return [...sums.values()].map(formatPrice).join(" + ");
}
