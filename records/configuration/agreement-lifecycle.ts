import { type Lifecycle, lifecycle, type Move, timeReaches } from "../vocabulary/index.ts";

/**
 * SLAs, first line support agreements and contracts begin with start_date and are active through expiry_date: its time
 * is reached when that day has ended.
 */
export const agreementLifecycle = (initial: string, ...moves: Move[]): Lifecycle =>
  lifecycle({
    states: ["being_prepared", "scheduled_for_activation", "active", "expired"],
    initial,
    unlisted: "allowed",
    moves: [
      ...moves,
      { from: "scheduled_for_activation", on: timeReaches("start_date"), to: "active" },
      { from: "active", on: timeReaches("expiry_date"), to: "expired" },
    ],
  });
