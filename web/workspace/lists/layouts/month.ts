// Months as text, "2026-11", and the days of a calendar page: whole weeks starting on Monday.

const dayLength = 86_400_000;

export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? "");

export function addMonths(month: string, by: number): string {
  const [year = 2000, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Weeks of seven days, "2026-11-17" each. */
export function listWeeks(month: string): string[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const end = Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`);
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const weeks: string[][] = [];
  for (let monday = first - weekday * dayLength; monday < end; monday += 7 * dayLength)
    weeks.push(Array.from({ length: 7 }, (_, day) => new Date(monday + day * dayLength).toISOString().slice(0, 10)));
  return weeks;
}
