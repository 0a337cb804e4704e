// The dates of the following agreement: it starts the day after this one's end and has the same length.

export type Term = { start_date: string | null; expiry_date: string | null; notice_date: string | null };

const dayLength = 86_400_000;
const readDay = (value: unknown): number | null =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : null;
const writeDay = (day: number | null): string | null =>
  day === null ? null : new Date(day).toISOString().slice(0, 10);

/** Whole years follow the calendar, because they differ in days. */
function moveDay(day: number, months: number): number {
  const date = new Date(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.getTime();
}

/** The number of months between two days, if it is whole; null: the term is counted in days. */
function countMonths(from: number, to: number): number | null {
  const [one, other] = [new Date(from), new Date(to)];
  const months = (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth();
  return months > 0 && moveDay(from, months) === to ? months : null;
}

export function findNextTerm(row: Readonly<Record<string, unknown>>): Term {
  const [start, expiry, notice] = [readDay(row.start_date), readDay(row.expiry_date), readDay(row.notice_date)];
  if (expiry === null) return { start_date: null, expiry_date: null, notice_date: null };
  const nextStart = expiry + dayLength;
  if (start === null) return { start_date: writeDay(nextStart), expiry_date: null, notice_date: null };
  const months = countMonths(start, nextStart);
  const nextEnd = months === null ? nextStart + (expiry - start) : moveDay(nextStart, months) - dayLength;
  return {
    start_date: writeDay(nextStart),
    expiry_date: writeDay(nextEnd),
    notice_date: notice === null ? null : writeDay(nextEnd - (expiry - notice)),
  };
}
