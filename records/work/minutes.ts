import { integer } from "../vocabulary/index.ts";

/** planned durations and efforts: TK3 */
export const minutes = integer({ min: 0, max: 600_000, unit: "minutes" });
/** minutes that become a time entry: TS2 */
export const minutesSpent = integer({ min: 0, refusal: "is not valid" });
