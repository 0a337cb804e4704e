import { Temporal } from "temporal-polyfill";
import type { Moment } from "../../business-time/moment.ts";
import type { Caller } from "../../engine/caller.ts";

/** As records write moments: with the offset of the caller's time zone. */
export const formatMoment = (moment: Moment, { zone }: Caller): string =>
  Temporal.Instant.fromEpochMilliseconds(moment)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", smallestUnit: "second" });
