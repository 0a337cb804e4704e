import { currentLocale } from "../../languages/index.ts";

export const formatMoney = (amount: string | number, currency: string | null): string =>
  new Intl.NumberFormat(currentLocale(), {
    style: "currency",
    currency: currency ?? "EUR",
    minimumFractionDigits: Number.isInteger(Number(amount)) ? 0 : 2,
  }).format(Number(amount));
