import { currentLocale } from "../languages/index.ts";

/** A share of 1, such as "97.1%". */
export const formatPercent = (share: number, digits = 1): string =>
  new Intl.NumberFormat(currentLocale(), { style: "percent", maximumFractionDigits: digits }).format(share);
