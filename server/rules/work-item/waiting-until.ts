import type { problem } from "../../../records/work/problem.ts";
import type { projectTask } from "../../../records/work/project-task.ts";
import type { projectTaskAssignment } from "../../../records/work/project-task-assignment.ts";
import type { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import type { Change } from "../../engine/rules.ts";

/** RQ12, TK9: `waiting_for` needs a moment in the future; no other status has one. */
export function checkWaitingUntil(
  change: Change<typeof request | typeof problem | typeof task | typeof projectTask | typeof projectTaskAssignment>,
): void {
  const { before, after, changed, by, problem } = change;
  if (after.status !== "waiting_for") after.waiting_until = null;
  else if (after.waiting_until === null) problem("waiting_until", "can't be blank");
  else if (before?.status !== "waiting_for" || changed.has("waiting_until")) {
    if (Date.parse(after.waiting_until) <= by.now.getTime()) problem("waiting_until", "must be in the future");
  }
}
