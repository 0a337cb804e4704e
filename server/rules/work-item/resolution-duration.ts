import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change } from "../../engine/rules.ts";

/** C8: sets `resolution_duration` to the whole minutes between two fields. */
export const setResolutionDuration =
  (from: string, until: string) =>
  ({ after }: Pick<Change, "after">): void => {
    const [start, end] = [after[from], after[until]];
    after.resolution_duration =
      typeof start === "string" && typeof end === "string"
        ? Math.floor((Date.parse(end) - Date.parse(start)) / 60_000)
        : null;
  };

/** TK6 */
export const setResolutionDurationOfTask = setResolutionDuration("assigned_at", "finished_at");

/** TK5 and TK6 where a caller sets the times: a finished task always has a moment at which it finished. */
export function settleTaskTimes(change: Change<typeof task | typeof projectTask>): void {
  const { by, after, changed } = change;
  if (changed.has("finished_at") && isFinished(after.status)) after.finished_at ??= toTimestamp(by.now);
  if (changed.has("assigned_at") || changed.has("finished_at")) setResolutionDurationOfTask(change);
}
