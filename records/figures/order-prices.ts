// The prices of order lines, once and per period. The basket, the pages of a request and the emails show the same sums.

export type PricedLine = {
  quantity: string | number;
  price: string | number | null;
  price_currency: string | null;
  recurring_price: string | number | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
};
/** `period`: null for what is paid once */
export type Price = { amount: number; currency: string | null; period: string | null };

/** The one-time price of a line and its recurring one, as far as it has them. */
export function listPrices(line: PricedLine): Price[] {
  const multiply = (price: string | number) => Number(price) * Number(line.quantity);
  const prices: Price[] = [];
  if (line.price !== null) prices.push({ amount: multiply(line.price), currency: line.price_currency, period: null });
  if (line.recurring_price !== null)
    prices.push({
      amount: multiply(line.recurring_price),
      currency: line.recurring_price_currency,
      period: line.recurring_period ?? "other",
    });
  return prices;
}

/** One sum for each period and currency, because those are not added up; what is paid once comes first. */
export function sumPrices(lines: readonly PricedLine[]): Price[] {
  const sums = new Map<string, Price>();
  const prices = lines.flatMap(listPrices);
  for (const price of [
    ...prices.filter(({ period }) => period === null),
    ...prices.filter(({ period }) => period !== null),
  ]) {
    const key = `${price.period} ${price.currency}`;
    sums.set(key, { ...price, amount: price.amount + (sums.get(key)?.amount ?? 0) });
  }
  return [...sums.values()];
}

/** "€2,401" or "€60.50": cents only where there are some. */
export function formatMoney(locale: string, amount: string | number, currency: string | null): string {
  const rounded = Number(Number(amount).toFixed(2));
  const minimumFractionDigits = Number.isInteger(rounded) ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: currency ?? "EUR",
    minimumFractionDigits,
  }).format(rounded);
}
