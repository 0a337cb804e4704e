// The value of an item between its purchase and the end of its useful life. Methods that need more than two values and
// a duration are left to accounting.

const millisecondsOfYear = 365.25 * 86_400_000;

const readNumber = (value: unknown): number | null => {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
};

/** Null: unknown. */
export function computeValueToday(row: Readonly<Record<string, unknown>>, now: number): number | null {
  const purchase = readNumber(row.purchase_value);
  const salvage = readNumber(row.salvage_value) ?? 0;
  const years = readNumber(row.useful_life);
  const since = typeof row.in_use_since === "string" ? Date.parse(row.in_use_since) : Number.NaN;
  if (purchase === null || Number.isNaN(since)) return null;
  if (row.depreciation_method === "not_depreciated") return purchase;
  if (row.depreciation_method !== "straight_line" || years === null || years <= 0) return null;
  const share = Math.min(1, Math.max(0, (now - since) / millisecondsOfYear / years));
  return Math.round((purchase - (purchase - salvage) * share) * 100) / 100;
}
