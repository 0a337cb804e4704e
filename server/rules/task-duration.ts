import type { Change } from "../engine/rules.ts";

/** From the assignment to the end, in whole minutes: lifecycles.md TK6 and C8. */
export function tellHowLong({ after }: Change): void {
  const [from, until] = [after.assigned_at, after.finished_at];
  after.resolution_duration =
    from == null || until == null ? null : Math.floor((Date.parse(String(until)) - Date.parse(String(from))) / 60_000);
}
