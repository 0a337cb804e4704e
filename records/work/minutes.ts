import { integer } from "../vocabulary/index.ts";

/** planned durations and efforts: lifecycles TK3 */
export const minutes = integer({ min: 0, max: 600_000 });
