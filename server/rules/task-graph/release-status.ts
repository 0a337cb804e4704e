import { enumerations } from "../../../records/enumerations/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

// A release is what its workflows are: RL1.

const selectWorkflowsOfRelease = statement(
  `SELECT status, completion_reason, impact, to_json(completion_target_at AT TIME ZONE 'UTC') FROM workflows
WHERE release_id = $1 AND life_cycle <> 'trashed' ORDER BY id`,
);
const lockRelease = statement("SELECT status FROM releases WHERE id = $1 FOR NO KEY UPDATE");
const impactRanks: readonly string[] = enumerations["task.impact"];
const fieldsAffectingRelease = ["status", "completion_reason", "impact", "completion_target_at", "release"];
const reasonsByPriority = ["rejected", "failed", "rolled_back", "withdrawn", "disruptive"];

function calculateReleaseStatus(statuses: readonly string[]): string {
  const of = (status: string) => statuses.includes(status);
  if (statuses.every((status) => status === "registered" || status === "being_created")) return "registered";
  if (of("in_progress")) return "in_progress";
  if (of("progress_halted")) return "progress_halted";
  return statuses.every((status) => status === "completed") ? "completed" : "in_progress";
}

function calculateCompletionReason(reasons: readonly string[]): string | null {
  if (new Set(reasons).size <= 1) return reasons[0] ?? null;
  if (reasons.includes("complete")) return "partial";
  return reasonsByPriority.find((reason) => reasons.includes(reason)) ?? "partial";
}

/** Part of `saved` of a workflow: its release, and the one it was part of before. */
export async function updateReleaseOfWorkflow({ tx, by, before, after, update }: Change): Promise<void> {
  if (before !== null && fieldsAffectingRelease.every((name) => before[name] === after[name])) return;
  for (const release of new Set([before?.release, after.release])) {
    if (typeof release !== "number") continue;
    const [row] = await tx.query(lockRelease, [release]);
    const workflows = await tx.query(selectWorkflowsOfRelease, [release]);
    const status = calculateReleaseStatus(workflows.map(([status]) => String(status)));
    const isCompleted = status === "completed";
    const impacts = workflows.map(([, , impact]) => impactRanks.indexOf(impact ?? "none"));
    const targets = workflows
      .flatMap(([, , , target]) => (target == null ? [] : [JSON.parse(target) as string]))
      .sort();
    await update("release", release, {
      status,
      completion_reason: isCompleted ? calculateCompletionReason(workflows.map(([, reason]) => String(reason))) : null,
      impact: impactRanks[Math.max(0, ...impacts)] ?? "none",
      completion_target_at: targets.length === 0 ? null : `${targets.at(-1)}Z`,
      ...(isCompleted ? (row?.[0] === status ? {} : { completed_at: toTimestamp(by.now) }) : { completed_at: null }),
    });
  }
}
