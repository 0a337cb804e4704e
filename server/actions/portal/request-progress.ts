import type { RequestProgress } from "../../../records/answers/portal.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import { listRecords } from "./list-records.ts";
import { loadReadableLines } from "./readable-lines.ts";

// The progress of a request as the requester sees it, beside its fields: since when it is worked on, the pending
// approvers, how many colleagues reported the same, the agreed targets, and articles that help meanwhile. No other value
// of the audit trail leaves the server.

type Row = {
  working_at: string | null;
  same: number;
  impact: EnumerationValue<"request.impact"> | null;
  category: string;
  target: number | null;
  is_requester: boolean;
  status: string;
  completed_at: string | null;
  answered: boolean;
  approvers: string[] | null;
};
const selectProgress = jsonStatement<Row>(
  `SELECT
  (SELECT min(l.created_at) FROM audit_lines l WHERE l.account_id = r.account_id AND l.record_id = r.id AND l.audited = 'request' AND l.changes -> 'status' ->> 1 IN ('accepted', 'in_progress')) AS working_at,
  (SELECT count(*)::integer FROM requests o WHERE o.account_id = r.account_id AND o.grouped_into_id = r.grouped_into_id AND o.id <> r.id AND o.life_cycle = 'active') AS same,
  r.impact, r.category, r.status, r.completed_at,
  (r.requested_by_id = $3 OR r.requested_for_id = $3) AS is_requester,
  ((r.requested_for_id IS DISTINCT FROM $3 OR r.answered_for) AND (r.requested_by_id IS DISTINCT FROM $3 OR r.answered_by)) AS answered,
  (SELECT json_agg(DISTINCT p.name) FROM tasks t JOIN task_approvals a ON a.task_id = t.id AND a.account_id = r.account_id AND a.status = 'assigned' JOIN people p ON p.id = a.approver_id
    WHERE t.workflow_id = r.workflow_id AND t.account_id = r.account_id AND t.category = 'approval' AND t.status = 'assigned') AS approvers,
  (SELECT f.maximum_resolution_duration FROM affected_slas f WHERE f.request_id = r.id AND f.account_id = r.account_id AND f.maximum_resolution_duration IS NOT NULL
    AND f.resolution_target_at = r.requester_resolution_target_at ORDER BY f.id LIMIT 1) AS target
FROM requests r WHERE r.id = $1 AND r.account_id = $2`,
);
const selectArticle = jsonStatement<{ article: number | null }>(
  "SELECT knowledge_article_id AS article FROM requests WHERE id = $1 AND account_id = $2",
);

/** The article that the desk linked, if the caller may read it: not every requester is covered for its service. */
async function loadArticles(engine: Engine, by: Caller, id: number, account: string) {
  const row = await queryFirst(engine.database, selectArticle, [id, account]);
  if (row?.article == null) return [];
  const { records } = await listRecords<{ id: number; subject: string }>(engine, by, "knowledge_article", {
    fields: ["subject"],
    filters: [
      { name: "id", value: String(row.article) },
      { name: "status", value: "validated" },
    ],
    perPage: 1,
  });
  return records.map(({ id: article, subject }) => ({ id: article, subject }));
}

const daysToAnswer = 28;

export async function loadRequestProgress(
  engine: Engine,
  by: Caller,
  id: number,
): Promise<Omit<RequestProgress, "survey">> {
  const account = await requireRecord(engine, by, engine.types.get("request"), id, "read");
  const [row, articles, lines] = await Promise.all([
    queryFirst(engine.database, selectProgress, [id, account, by.person]),
    loadArticles(engine, by, id, account),
    loadReadableLines(engine, by, id, account),
  ]);
  const age = row?.completed_at == null ? 0 : by.now.getTime() - Date.parse(row.completed_at);
  return {
    working_at: row?.working_at ?? null,
    approvers: row?.approvers ?? [],
    same: row?.same ?? 0,
    agreement: row?.target == null ? null : { minutes: row.target, impact: row.impact },
    may_rate:
      row?.is_requester === true && row.status === "completed" && !row.answered && age <= daysToAnswer * 86_400_000,
    articles,
    lines,
  };
}
