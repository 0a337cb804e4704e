// Days of the calendar as texts, "2026-11-17": without a zone, so that arithmetic needs none.

export const dayLength = 86_400_000;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10);

/** 0 is Monday */
export const getWeekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
