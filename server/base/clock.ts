/** Time comes from here and nowhere else, so that a test can move it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A moment as it is stored: "2031-02-01T08:00:00Z". Columns would round fractions up, into the future. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
