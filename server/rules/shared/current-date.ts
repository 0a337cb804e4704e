import { Temporal } from "temporal-polyfill";
import { toIanaZone } from "../../base/time-zones.ts";
import type { Caller } from "../../engine/caller.ts";

/** The current date in the time zone of the account or in another one, such as "2031-02-28": dates compare as text. */
export const getToday = ({ now, accountRecord }: Caller, zone = accountRecord.time_zone): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(toIanaZone(zone)).toPlainDate().toString();
