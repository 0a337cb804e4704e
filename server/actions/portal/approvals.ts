import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { listRecords, type PortalRecord } from "./list-records.ts";
import { loadOrderedLines, type OrderedLine } from "./order-lines.ts";

// The approvals that are asked of the caller, with what the decision is about. Whoever is asked for an approval may read
// the task; of the request behind it they see subject, people, the first public note, and what is ordered at which price,
// because no one can approve what they do not know (D-303, D-767).

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
  request: {
    id: number;
    subject: string;
    requested_by: string | null;
    requested_for: string | null;
    note: string | null;
    lines: readonly OrderedLine[];
  } | null;
};

type TaskRow = {
  id: number;
  workflow: string | null;
  asked_by: string | null;
  required: number | null;
  request: number | null;
  request_subject: string | null;
  requested_by: string | null;
  requested_for: string | null;
  note: string | null;
};
const selectBackground = jsonStatement<TaskRow>(
  `SELECT t.id, w.subject AS workflow, m.name AS asked_by, t.required_approvals AS required, r.id AS request, r.subject AS request_subject,
  b.name AS requested_by, f.name AS requested_for,
  (SELECT n.text FROM notes n WHERE n.request_id = r.id AND n.account_id = r.account_id AND NOT n.internal ORDER BY n.id LIMIT 1) AS note
FROM tasks t JOIN workflows w ON w.id = t.workflow_id AND w.account_id = t.account_id LEFT JOIN people m ON m.id = t.manager_id
LEFT JOIN LATERAL (SELECT * FROM requests q WHERE q.workflow_id = w.id AND q.account_id = t.account_id AND q.life_cycle = 'active' ORDER BY q.id LIMIT 1) r ON true
LEFT JOIN people b ON b.id = r.requested_by_id LEFT JOIN people f ON f.id = r.requested_for_id
WHERE t.id = ANY($1::integer[]) AND t.account_id = $2`,
);
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
  const values = [records.map(({ id }) => id), by.account];
  const [background, votes] = await Promise.all([
    queryRows(engine.database, selectBackground, values),
    queryRows(engine.database, selectVotes, values),
  ]);
  const rows = new Map(background.map((row) => [row.id, row]));
  const linesOf = await loadOrderedLines(
    engine,
    by.account,
    background.flatMap(({ request }) => request ?? []),
  );
  return records.map((task) =>
    build(
      by,
      task,
      rows.get(task.id),
      votes.filter((vote) => vote.task === task.id),
      linesOf(rows.get(task.id)?.request),
    ),
  );
}

function build(
  by: Caller,
  task: PortalRecord,
  row: TaskRow | undefined,
  votes: readonly VoteRow[],
  lines: readonly OrderedLine[],
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
    workflow: row?.workflow ?? null,
    asked_by: row?.requested_by ?? row?.asked_by ?? null,
    in_place_of: absent?.name ?? null,
    required: row?.required ?? 1,
    votes: votes.map(({ name, status }) => ({ name, status })),
    request:
      row?.request == null
        ? null
        : {
            id: row.request,
            subject: row.request_subject ?? "",
            requested_by: row.requested_by,
            requested_for: row.requested_for,
            note: row.note,
            lines,
          },
    isMine: own !== undefined || absent !== undefined,
  };
}
