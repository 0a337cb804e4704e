import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";
import { assignToPerson } from "./assign-member.ts";

// Requests and problems that wait for a workflow or a project: R15, R17, R18, R23 to R25, PB4 to PB9.

export type Container = "workflow" | "project";
const containers: readonly Container[] = ["workflow", "project"];

const selectContainer = {
  workflow: statement(
    `SELECT w.status, CASE WHEN t.assign_relations_to_workflow_manager THEN w.manager_id END
FROM workflows w LEFT JOIN workflow_templates t ON t.id = w.template_id WHERE w.id = $1`,
  ),
  project: statement("SELECT status, NULL FROM projects WHERE id = $1"),
};

/** Part of `check` of a request or a problem: what is linked is waited for, what is linked no more is not. */
export async function setPendingStatus(change: Change, finished: string): Promise<void> {
  const { tx, before, after, given } = change;
  for (const container of containers) {
    const [old, now] = [before?.[container] ?? null, after[container] ?? null];
    if (old === now || after.status === finished) continue;
    if (now === null) {
      const isWaiting = [`${container}_pending`, "progress_halted"].includes(String(before?.status));
      if (isWaiting && !given.has("status")) after.status = "assigned";
      continue;
    }
    const [row] = await tx.query(selectContainer[container], [now as number]);
    if (row === undefined || row[0] === "completed") continue;
    if (!given.has("status")) after.status = `${container}_pending`;
    if (row[1] !== null && after.status === `${container}_pending`) await assignToPerson(change, Number(row[1]));
  }
}

const selectPreventingWorkflow = statement(
  "SELECT 1 FROM workflows WHERE id = $1 AND prevent_request_completion AND status <> 'completed'",
);

/** RQ24 */
export async function checkCompletionNotPrevented({ tx, before, after, cause, by, problem }: Change): Promise<void> {
  if (cause !== null || by.isService || after.workflow === null) return;
  if (after.status !== "completed" || before === null || before.status === "completed") return;
  if ((await tx.query(selectPreventingWorkflow, [after.workflow as number])).length > 0)
    problem("status", "is not valid");
}

// biome-ignore format: a table keeps its columns
const requestCompletionReasons: Record<string, string> = {
  complete:    "solved",
  disruptive:  "solved",
  partial:     "workaround",
  rejected:    "rejected",
  withdrawn:   "withdrawn",
  failed:      "unsolvable",
  rolled_back: "unsolvable",
  abandoned:   "unsolvable",
};

const buildSelectPendingRequests = (container: Container) =>
  statement(
    `SELECT r.id, t.assign_after_workflow_completion, t.team_id,
  (SELECT m.person_id FROM team_members m WHERE m.team_id = t.team_id AND m.person_id = t.member_id) FROM requests r
LEFT JOIN request_templates t ON t.id = r.template_id
WHERE r.${container}_id = $1 AND r.status = '${container}_pending' ORDER BY r.id`,
  );
const buildSelectPendingProblems = (container: Container) =>
  statement(
    `SELECT id, status FROM problems WHERE ${container}_id = $1 AND status IN ('${container}_pending', 'progress_halted') ORDER BY id`,
  );
const selectPending = {
  workflow: { requests: buildSelectPendingRequests("workflow"), problems: buildSelectPendingProblems("workflow") },
  project: { requests: buildSelectPendingRequests("project"), problems: buildSelectPendingProblems("project") },
};

/** R17, R18, R25: part of `saved` of a workflow or a project that was completed. */
async function releasePendingRequests({ tx, id, after, update }: Change, container: Container): Promise<void> {
  for (const [request, assigns, team, member] of await tx.query(selectPending[container].requests, [id])) {
    const values: Values =
      assigns === "t" && container === "workflow"
        ? { status: "assigned", team: parseNumberOrNull(team), member: parseNumberOrNull(member) }
        : {
            status: "completed",
            completion_reason: requestCompletionReasons[String(after.completion_reason)] ?? "solved",
          };
    await update("request", Number(request), values);
  }
}

function pickProblemStatus(after: Values, container: Container): string {
  if (after.status === "progress_halted") return "progress_halted";
  if (after.status !== "completed") return `${container}_pending`;
  return ["complete", "disruptive"].includes(String(after.completion_reason)) ? "solved" : "analyzed";
}

/** Part of `saved` of a workflow or a project. */
export async function updatePendingRecords(change: Change, container: Container): Promise<void> {
  const { tx, id, before, after, update } = change;
  if (before === null || before.status === after.status) return;
  if (after.status === "completed") await releasePendingRequests(change, container);
  const status = pickProblemStatus(after, container);
  for (const [problem, old] of await tx.query(selectPending[container].problems, [id]))
    if (old !== status) await update("problem", Number(problem), { status });
}
