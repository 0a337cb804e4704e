const maxDelaySeconds = 3600;

/** Exponential back-off: 2, 4, 8 ... seconds after the first, second, third ... attempt, one hour at most. */
export const getRetryDelaySeconds = (attempts: number): number =>
  Math.min(maxDelaySeconds, 2 ** Math.min(attempts, 12));
