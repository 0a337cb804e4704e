/** The only source of the current time, so that tests can move it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** The stored form of a moment, "2031-02-01T08:00:00Z". A column would round fractions up, into the future. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
