import type { Visit } from "../visit.ts";

/** The wait as text; also sets the Retry-After header. */
export function describeWait(visit: Visit, until: Date): string {
  const seconds = Math.max(1, Math.ceil((until.getTime() - visit.oauth.clock.now().getTime()) / 1000));
  visit.reply.header("Retry-After", seconds);
  const minutes = Math.ceil(seconds / 60);
  return seconds < 60
    ? `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`
    : `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
