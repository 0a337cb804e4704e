import { Temporal } from "temporal-polyfill";
import { toIanaZone } from "../../base/time-zones.ts";
import type { Caller } from "../../engine/caller.ts";

const minute = 60_000;
/** By time zone: the date of the last requested minute. A save reads it several times, and calculating a date is slow. */
const lastDates = new Map<string, { minute: number; date: string }>();

/** The current date in the time zone of the account or in another one, such as "2031-02-28": dates compare as text. */
export function getToday({ now, accountRecord }: Caller, zone = accountRecord.time_zone): string {
  const iana = toIanaZone(zone);
  // All offsets are whole minutes, so a date begins and ends with a minute.
  const current = Math.floor(now.getTime() / minute);
  const last = lastDates.get(iana);
  if (last?.minute === current) return last.date;
  const date = Temporal.Instant.fromEpochMilliseconds(current * minute)
    .toZonedDateTimeISO(iana)
    .toPlainDate()
    .toString();
  lastDates.set(iana, { minute: current, date });
  return date;
}
