import type { PortalApproval } from "../../../records/answers/portal.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type ApprovalBackground, loadApprovalBackgrounds } from "../../rules/communication/approval-background.ts";
import { listRecords } from "./list-records.ts";

// The approvals requested from the caller, with the subject of the decision.

type VoteRow = { task: number; person: number } & PortalApproval["votes"][number];
const selectVotes = jsonStatement<VoteRow>(
  `SELECT a.task_id AS task, p.id AS person, p.name, a.status FROM task_approvals a JOIN people p ON p.id = a.approver_id
WHERE a.task_id = ANY($1::integer[]) AND a.account_id = $2 ORDER BY a.id`,
);

const fields = ["subject", "status", "instructions", "completion_target_at", "finished_at"];
type Task = Pick<PortalApproval, "subject" | "status" | "instructions" | "finished_at"> & {
  id: number;
  completion_target_at: string | null;
};

/** `isMine`: the caller can decide */
type AskedApproval = { approval: PortalApproval; isMine: boolean };

export const loadOpenApprovals = async (engine: Engine, by: Caller): Promise<PortalApproval[]> =>
  (await loadApprovals(engine, by, [{ name: "status", value: "assigned" }]))
    .filter(({ isMine }) => isMine)
    .map(({ approval }) => approval);

export const loadDecidedApprovals = async (engine: Engine, by: Caller): Promise<PortalApproval[]> =>
  (await loadApprovals(engine, by, [{ name: "status", value: "!assigned" }])).map(({ approval }) => approval);

/** One approval by its task; null: it is not requested from the caller. */
export const loadApproval = async (engine: Engine, by: Caller, task: number): Promise<PortalApproval | null> =>
  (await loadApprovals(engine, by, [{ name: "id", value: String(task) }]))[0]?.approval ?? null;

async function loadApprovals(
  engine: Engine,
  by: Caller,
  filters: readonly { name: string; value: string }[],
): Promise<AskedApproval[]> {
  const { records } = await listRecords<Task>(engine, by, "task", {
    fields,
    views: ["approval_by_me"],
    filters,
    sort: "-id",
    perPage: 50,
  });
  if (records.length === 0) return [];
  const tasks = records.map(({ id }) => id);
  const [backgrounds, votes] = await Promise.all([
    loadApprovalBackgrounds(engine, by.account, tasks),
    queryRows(engine.database, selectVotes, [tasks, by.account]),
  ]);
  return records.map((task) =>
    build(
      by,
      task,
      backgrounds.get(task.id),
      votes.filter((vote) => vote.task === task.id),
    ),
  );
}

function build(
  by: Caller,
  task: Task,
  background: ApprovalBackground | undefined,
  votes: readonly VoteRow[],
): AskedApproval {
  const own = votes.find(({ person, status }) => person === by.person && status === "assigned");
  const asked = votes.filter(({ status }) => status === "assigned");
  const decided = votes.some(({ person, status }) => person === by.person && status !== "assigned");
  const absent = own === undefined && !decided ? asked[0] : undefined;
  const approval = {
    task: task.id,
    subject: task.subject,
    status: task.status,
    instructions: task.instructions || null,
    due_at: task.completion_target_at,
    finished_at: task.finished_at,
    workflow: background?.workflow ?? null,
    asked_by: background?.request?.requested_by ?? background?.asked_by ?? null,
    in_place_of: absent?.name ?? null,
    required: background?.required ?? 1,
    votes: votes.map(({ name, status }) => ({ name, status })),
    request: background?.request ?? null,
  };
  return { approval, isMine: own !== undefined || absent !== undefined };
}
