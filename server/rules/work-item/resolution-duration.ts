import { isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change } from "../../engine/rules.ts";

/** Whole minutes from one field to another, for `resolution_duration`: C8. */
export const setResolutionDuration =
  (from: string, until: string) =>
  ({ after }: Pick<Change, "after">): void => {
    const [first, last] = [after[from], after[until]];
    after.resolution_duration =
      first == null || last == null
        ? null
        : Math.floor((Date.parse(String(last)) - Date.parse(String(first))) / 60_000);
  };

/** TK6 */
export const setResolutionDurationOfTask = setResolutionDuration("assigned_at", "finished_at");

/** Part of `check` of a task: TK5 and TK6 where the times are set by hand. What is over has been so since some moment. */
export function settleTaskTimes(change: Change): void {
  const { by, after, changed } = change;
  if (changed.has("finished_at") && isFinished(after.status as string | null))
    after.finished_at ??= toTimestamp(by.now);
  if (changed.has("assigned_at") || changed.has("finished_at")) setResolutionDurationOfTask(change);
}
