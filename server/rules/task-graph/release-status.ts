import { type EnumerationValue, enumerations } from "../../../records/enumerations/index.ts";
import { workflow } from "../../../records/work/workflow.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseChoice } from "../../database/rows.ts";
import type { Change } from "../../engine/rules.ts";
import type { ContainerStatus } from "./container-status.ts";
import { parseUtcTimestampOrNull } from "./utc-timestamp.ts";

// The status, impact and target of a release follow from its workflows: RL1.

const selectWorkflowsOfRelease = statement(
  `SELECT status, completion_reason, impact, to_json(completion_target_at AT TIME ZONE 'UTC') FROM workflows
WHERE release_id = $1 AND account_id = $2 AND life_cycle <> 'trashed' ORDER BY id`,
);
const lockRelease = statement("SELECT status FROM releases WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE");
const impactRanks = enumerations["task.impact"];
const fieldsAffectingRelease = ["status", "completion_reason", "impact", "completion_target_at", "release"] as const;
const reasonsByPriority = ["rejected", "failed", "rolled_back", "withdrawn", "disruptive"] as const;

type CompletionReason = EnumerationValue<"workflow.completion_reason">;
type WorkflowFacts = {
  status: EnumerationValue<"workflow.status"> | null;
  reason: CompletionReason | null;
  impact: EnumerationValue<"task.impact">;
  target: string | null;
};

const loadWorkflows = async (tx: Transaction, account: string, release: number): Promise<WorkflowFacts[]> =>
  (await tx.query(selectWorkflowsOfRelease, [release, account])).map(([status, reason, impact, target]) => ({
    status: parseChoice(workflow.fields.status, status),
    reason: parseChoice(workflow.fields.completion_reason, reason),
    impact: parseChoice(workflow.fields.impact, impact) ?? "none",
    target: parseUtcTimestampOrNull(target),
  }));

function calculateReleaseStatus(workflows: readonly WorkflowFacts[]): ContainerStatus {
  const statuses = workflows.map(({ status }) => status);
  if (statuses.every((status) => status === "registered" || status === "being_created")) return "registered";
  if (statuses.includes("in_progress")) return "in_progress";
  if (statuses.includes("progress_halted")) return "progress_halted";
  return statuses.every((status) => status === "completed") ? "completed" : "in_progress";
}

function calculateCompletionReason(workflows: readonly WorkflowFacts[]): CompletionReason | null {
  const reasons = workflows.map(({ reason }) => reason);
  if (new Set(reasons).size <= 1) return reasons[0] ?? null;
  if (reasons.includes("complete")) return "partial";
  return reasonsByPriority.find((reason) => reasons.includes(reason)) ?? "partial";
}

/** In `afterSave` of a workflow: updates its release, and the one it was part of before. */
export async function updateReleaseOfWorkflow(change: Change<typeof workflow>): Promise<void> {
  const { tx, by, account, before, after, update } = change;
  if (before !== null && fieldsAffectingRelease.every((name) => before[name] === after[name])) return;
  for (const release of new Set([before?.release, after.release])) {
    if (release == null) continue;
    const [row] = await tx.query(lockRelease, [release, account]);
    const workflows = await loadWorkflows(tx, account, release);
    const status = calculateReleaseStatus(workflows);
    const isCompleted = status === "completed";
    const impacts = workflows.map(({ impact }) => impactRanks.indexOf(impact));
    const targets = workflows
      .flatMap(({ target }) => target ?? [])
      .sort((one, other) => Date.parse(one) - Date.parse(other));
    await update("release", release, {
      status,
      completion_reason: isCompleted ? calculateCompletionReason(workflows) : null,
      impact: impactRanks[Math.max(0, ...impacts)] ?? "none",
      completion_target_at: targets.at(-1) ?? null,
      ...(isCompleted ? (row?.[0] === status ? {} : { completed_at: toTimestamp(by.now) }) : { completed_at: null }),
    });
  }
}
