import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type ApprovalBackground, loadApprovalBackgrounds } from "../../rules/communication/approval-background.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { listRecords, type PortalRecord } from "./list-records.ts";

// The approvals that are asked of the caller, with what the decision is about.

export type Approval = {
  task: number;
  subject: string;
  status: string;
  instructions: string | null;
  due_at: string | null;
  finished_at: string | null;
  workflow: string | null;
  asked_by: string | null;
  /** somebody absent, in whose place the caller decides */
  in_place_of: string | null;
  required: number;
  votes: readonly { name: string; status: string }[];
  request: ApprovalBackground["request"];
};

type VoteRow = { task: number; person: number; name: string; status: string };
const selectVotes = jsonStatement<VoteRow>(
  `SELECT a.task_id AS task, p.id AS person, p.name, a.status FROM task_approvals a JOIN people p ON p.id = a.approver_id
WHERE a.task_id = ANY($1::integer[]) AND a.account_id = $2 ORDER BY a.id`,
);

const fields = ["subject", "status", "instructions", "completion_target_at", "finished_at", "member"];

export const loadOpenApprovals = (engine: Engine, by: Caller): Promise<Approval[]> =>
  loadApprovals(engine, by, [{ name: "status", value: "assigned" }]).then((all) => all.filter(({ isMine }) => isMine));

export const loadDecidedApprovals = (engine: Engine, by: Caller): Promise<Approval[]> =>
  loadApprovals(engine, by, [{ name: "status", value: "!assigned" }]);

/** One approval by its task; null: the caller is not asked for it. */
export const loadApproval = async (engine: Engine, by: Caller, task: number): Promise<Approval | null> =>
  (await loadApprovals(engine, by, [{ name: "id", value: String(task) }]))[0] ?? null;

async function loadApprovals(
  engine: Engine,
  by: Caller,
  filters: readonly { name: string; value: string }[],
): Promise<(Approval & { isMine: boolean })[]> {
  const { records } = await listRecords(engine, by, "task", {
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
  task: PortalRecord,
  background: ApprovalBackground | undefined,
  votes: readonly VoteRow[],
): Approval & { isMine: boolean } {
  const own = votes.find(({ person, status }) => person === by.person && status === "assigned");
  const asked = votes.filter(({ status }) => status === "assigned");
  const decided = votes.some(({ person, status }) => person === by.person && status !== "assigned");
  const absent = own === undefined && !decided ? asked[0] : undefined;
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  return {
    task: task.id,
    subject: String(task.subject),
    status: String(task.status),
    instructions: text(task.instructions),
    due_at: text(task.completion_target_at),
    finished_at: text(task.finished_at),
    workflow: background?.workflow ?? null,
    asked_by: background?.request?.requested_by ?? background?.asked_by ?? null,
    in_place_of: absent?.name ?? null,
    required: background?.required ?? 1,
    votes: votes.map(({ name, status }) => ({ name, status })),
    request: background?.request ?? null,
    isMine: own !== undefined || absent !== undefined,
  };
}
