import type { Change } from "../../engine/rules.ts";

// Which states a task can be in depends on its category. TK16, PT1.

/** What is worked on is neither approved nor rejected. */
export const withoutApprovalStatuses = (statuses: readonly string[]): readonly string[] =>
  statuses.filter((status) => status !== "approved" && status !== "rejected");

export function checkStatusOfCategory(
  { before, after, changed, problem }: Change,
  statuses: Readonly<Record<string, readonly string[]>>,
): void {
  if (before !== null && !changed.has("status") && !changed.has("category")) return;
  if (after.status === null) return; // told elsewhere
  if (statuses[String(after.category)]?.includes(String(after.status)) === false) problem("status", "is not valid");
}
