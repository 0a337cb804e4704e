/** A point in time: milliseconds since 1970 in UTC, like Date.getTime(). Plain numbers keep the arithmetic fast. */
export type Moment = number;

export const minute = 60_000;
export const day = 86_400_000;

/** Parses a stored moment, "2031-02-01T08:00:00Z"; toTimestamp of server/base/clock.ts is the inverse. */
export const parseMoment = (stamp: string): Moment => Date.parse(stamp);

/** Day numbers: days since 1 January 1970. */
export const toDayNumber = (year: number, month: number, dayOfMonth: number): number =>
  Date.UTC(year, month - 1, dayOfMonth) / day;

/** The day number of "2031-02-01". */
export const parseDayNumber = (date: string): number => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / day;

/** A local time, "2031-02-01T08:00" or with seconds, as if it were UTC; fractions are dropped. */
export const parseWallTime = (text: string): number =>
  Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19).padEnd(8, ":00")}Z`);

/** "08:30" in milliseconds after midnight. */
export const parseTimeOfDay = (text: string): number =>
  Number(text.slice(0, 2)) * 60 * minute + Number(text.slice(3, 5)) * minute;

export const getYear = (number: number): number => new Date(number * day).getUTCFullYear();

/** 0 is Sunday; 1 January 1970 was a Thursday. */
export const getWeekday = (number: number): number => (((number + 4) % 7) + 7) % 7;

/** The last year in which moments are searched. */
export const lastYear = 9999;
