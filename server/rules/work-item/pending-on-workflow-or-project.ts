import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { InputOf } from "../../../records/vocabulary/index.ts";
import type { problem } from "../../../records/work/problem.ts";
import type { project } from "../../../records/work/project.ts";
import type { request } from "../../../records/work/request.ts";
import type { workflow } from "../../../records/work/workflow.ts";
import { statement } from "../../database/database.ts";
import { parseBoolean, parseNumberOrNull } from "../../database/rows.ts";
import type { Change } from "../../engine/rules.ts";
import { assignToPerson } from "./assign-member.ts";

// Requests and problems that wait for a workflow or a project: R15, R17, R18, R23 to R25, PB4 to PB9.

type ContainerChange = Change<typeof workflow | typeof project>;
export type Container = "workflow" | "project";
const containers: readonly Container[] = ["workflow", "project"];

const selectContainer = {
  workflow: statement(
    `SELECT w.status, CASE WHEN t.assign_relations_to_workflow_manager THEN w.manager_id END
FROM workflows w LEFT JOIN workflow_templates t ON t.id = w.template_id WHERE w.id = $1 AND w.account_id = $2`,
  ),
  project: statement("SELECT status, NULL FROM projects WHERE id = $1 AND account_id = $2"),
};

/** A record waits for the workflow or project that is linked to it, and no longer when the link is removed. */
export async function setPendingStatus(
  change: Change<typeof request | typeof problem>,
  finishedStatus: "completed" | "solved",
): Promise<void> {
  const { tx, account, before, after, given } = change;
  for (const container of containers) {
    const pending = `${container}_pending` as const;
    const [previous, current] = [before?.[container] ?? null, after[container]];
    if (previous === current || after.status === finishedStatus) continue;
    if (current === null) {
      const isWaiting = before?.status === pending || before?.status === "progress_halted";
      if (isWaiting && !given.has("status")) after.status = "assigned";
      continue;
    }
    const [row] = await tx.query(selectContainer[container], [current, account]);
    if (row === undefined || row[0] === "completed") continue;
    if (!given.has("status")) after.status = pending;
    const manager = parseNumberOrNull(row[1]);
    if (manager !== null && after.status === pending) await assignToPerson(change, manager);
  }
}

const selectPreventingWorkflow = statement(
  "SELECT 1 FROM workflows WHERE id = $1 AND account_id = $2 AND prevent_request_completion AND status <> 'completed'",
);

/** RQ24 */
export async function checkCompletionNotPrevented(change: Change<typeof request>): Promise<void> {
  const { tx, account, before, after, cause, by, problem } = change;
  if (cause !== null || by.isService || after.workflow === null) return;
  if (after.status !== "completed" || before === null || before.status === "completed") return;
  if ((await tx.query(selectPreventingWorkflow, [after.workflow, account])).length > 0)
    problem("status", "is not valid");
}

type ContainerCompletionReason =
  | EnumerationValue<"workflow.completion_reason">
  | EnumerationValue<"project.completion_reason">;

/** R33 */
// biome-ignore format: a table keeps its columns
const requestCompletionReasons: Record<ContainerCompletionReason, EnumerationValue<"request.completion_reason">> = {
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
WHERE r.${container}_id = $1 AND r.account_id = $2 AND r.status = '${container}_pending' ORDER BY r.id`,
  );
const buildSelectPendingProblems = (container: Container) =>
  statement(
    `SELECT id, status FROM problems WHERE ${container}_id = $1 AND account_id = $2 AND status IN ('${container}_pending', 'progress_halted') ORDER BY id`,
  );
const selectPending = {
  workflow: { requests: buildSelectPendingRequests("workflow"), problems: buildSelectPendingProblems("workflow") },
  project: { requests: buildSelectPendingRequests("project"), problems: buildSelectPendingProblems("project") },
};

/** R17, R18, R25: a completed workflow or project assigns or completes the requests that wait for it. */
async function releasePendingRequests(
  { tx, id, account, after, update }: ContainerChange,
  container: Container,
): Promise<void> {
  const reason = after.completion_reason === null ? "solved" : requestCompletionReasons[after.completion_reason];
  for (const [waiting, assigns, team, member] of await tx.query(selectPending[container].requests, [id, account])) {
    const values: InputOf<typeof request> =
      parseBoolean(assigns) && container === "workflow"
        ? { status: "assigned", team: parseNumberOrNull(team), member: parseNumberOrNull(member) }
        : { status: "completed", completion_reason: reason };
    await update("request", Number(waiting), values);
  }
}

function pickProblemStatus(
  { status, completion_reason }: ContainerChange["after"],
  container: Container,
): EnumerationValue<"problem.status"> {
  if (status === "progress_halted") return "progress_halted";
  if (status !== "completed") return `${container}_pending`;
  return completion_reason === "complete" || completion_reason === "disruptive" ? "solved" : "analyzed";
}

/** After a save of a workflow or a project. */
export async function updatePendingRecords(change: ContainerChange, container: Container): Promise<void> {
  const { tx, id, account, before, after, update } = change;
  if (before === null || before.status === after.status) return;
  if (after.status === "completed") await releasePendingRequests(change, container);
  const status = pickProblemStatus(after, container);
  for (const [problem, previousStatus] of await tx.query(selectPending[container].problems, [id, account]))
    if (previousStatus !== status) await update("problem", Number(problem), { status });
}
