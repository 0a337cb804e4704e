import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import type { Change } from "../../engine/rules.ts";

// The statuses that a task can have depend on its category. TK16 to TK18, PT1.

/** Only approval tasks are approved or rejected. */
export const withoutApprovalStatuses = <S extends string>(statuses: readonly S[]): readonly S[] =>
  statuses.filter((status) => status !== "approved" && status !== "rejected");

export function checkStatusOfCategory(
  { before, after, changed, problem }: Change<typeof task | typeof projectTask>,
  statusesByCategory: Readonly<Record<string, readonly string[]>>,
): void {
  if (before !== null && !changed.has("status") && !changed.has("category")) return;
  if (after.status === null) return; // the engine refuses that itself
  if (statusesByCategory[after.category]?.includes(after.status) === false) problem("status", "is not valid");
}
