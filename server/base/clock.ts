/** Time comes from here and nowhere else, so that a test can move it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** The wire shows whole seconds, so whole seconds are what is stored and compared. */
export const toSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
