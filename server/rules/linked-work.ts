import type { Change, Values } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { updateRelease } from "./release-status.ts";
import { workflowProgress } from "./workflow-progress.ts";

// What a workflow or a project means for the requests and problems that wait for it: lifecycles.md R17, R18, R25 and PB5
// to PB9; and for the release that a workflow is part of.

// biome-ignore format: a table keeps its columns
const requestReasons: Record<string, string> = {
  complete:    "solved",
  disruptive:  "solved",
  partial:     "workaround",
  rejected:    "rejected",
  withdrawn:   "withdrawn",
  failed:      "unsolvable",
  rolled_back: "unsolvable",
  abandoned:   "unsolvable",
};

const waitingRequests = (container: string) =>
  statement(
    `SELECT r.id, t.assign_after_workflow_completion, t.team_id, t.member_id FROM requests r
LEFT JOIN request_templates t ON t.id = r.template_id
WHERE r.${container}_id = $1 AND r.status = '${container}_pending' ORDER BY r.id`,
  );
const waitingProblems = (container: string) =>
  statement(
    `SELECT id, status FROM problems WHERE ${container}_id = $1 AND status IN ('${container}_pending', 'progress_halted') ORDER BY id`,
  );
const waiting = {
  workflow: { requests: waitingRequests("workflow"), problems: waitingProblems("workflow") },
  project: { requests: waitingRequests("project"), problems: waitingProblems("project") },
};

const number = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

async function tellRequests({ tx, id, after, update }: Change, container: "workflow" | "project"): Promise<void> {
  if (after.status !== "completed") return;
  for (const [own, assign, team, member] of await tx.query(waiting[container].requests, [id])) {
    const values: Values =
      assign === "t" && container === "workflow"
        ? { status: "assigned", team: number(team), member: number(member) }
        : { status: "completed", completion_reason: requestReasons[String(after.completion_reason)] ?? "solved" };
    await update("request", Number(own), values);
  }
}

function statusOfProblem({ after }: Change, container: string): string | null {
  if (after.status === "progress_halted") return "progress_halted";
  if (after.status !== "completed") return `${container}_pending`;
  return ["complete", "disruptive"].includes(String(after.completion_reason)) ? "solved" : "analyzed";
}

/** Part of `saved` of a workflow or a project. */
export async function tellLinkedWork(change: Change): Promise<void> {
  const { tx, type, id, before, after, update } = change;
  const container = type as "workflow" | "project";
  if (before !== null && before.status !== after.status) {
    await tellRequests(change, container);
    const status = statusOfProblem(change, container);
    for (const [own, old] of await tx.query(waiting[container].problems, [id]))
      if (old !== status) await update("problem", Number(own), { status });
  }
  if (container === "workflow") await updateRelease(change);
}

/** Part of `saved` of a request or a problem: its planned effort counts for the workflow it is linked to. */
export async function tellWorkflows(change: Change): Promise<void> {
  const { before, after } = change;
  const [old, now] = [before?.workflow ?? null, after.workflow ?? null];
  if (old === now && (now === null || before?.planned_effort === after.planned_effort)) return;
  for (const workflow of [old, now].sort())
    if (typeof workflow === "number") await workflowProgress.refresh(change, workflow);
}
