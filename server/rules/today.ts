import { Temporal } from "temporal-polyfill";
import { ianaOf } from "../base/time-zones.ts";
import type { Caller } from "../engine/caller.ts";

/** The day it is in the time zone of the account: "2031-02-28". Dates compare as their texts do. */
export const todayOf = ({ now, accountRecord }: Caller): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(ianaOf(accountRecord.time_zone))
    .toPlainDate()
    .toString();
