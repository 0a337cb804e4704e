// WH14. The first try is made immediately; `pauses` are the seconds before each further one.
const minute = 60;
const hour = 60 * minute;
// biome-ignore format: the whole schedule in one look
export const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 16 * hour, 24 * hour, 30 * hour];
const jitter = 0.2;
/** Upper limit of a Retry-After. */
const maxRetryAfter = 24 * hour;

export const maxTries = pauses.length + 1;
/** WH15: messages of the same record wait this long for one that fails, then overtake it. */
export const holdBackMilliseconds = 15 * minute * 1000;

/** The time of the next try after `tries` failed ones; null: none. */
export function computeNextTry(tries: number, now: Date, retryAfter: number | null, random: () => number): Date | null {
  const pause = pauses[tries - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 - jitter + 2 * jitter * random());
  // Retry-After may delay a try, never hasten it: an overloaded receiver asked us to wait.
  return new Date(now.getTime() + Math.max(jittered, Math.min(retryAfter ?? 0, maxRetryAfter)) * 1000);
}

/** Retry-After is a number of seconds or a date. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - now.getTime()) / 1000);
}
