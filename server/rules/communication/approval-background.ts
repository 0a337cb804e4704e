import type { PortalApproval } from "../../../records/answers/portal.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";
import { extractReason, loadLineRows, pickLines } from "../asset/order-lines.ts";

// The background of an approval. Approvers may read the task; of the request behind it they see the subject, the people, the first
// public note, and the order lines with prices, because they need them for the decision (D-303, D-767). Callers
// load it only for the approvers.

export type ApprovalBackground = {
  workflow: string | null;
  asked_by: string | null;
  required: number | null;
  request: PortalApproval["request"];
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
const selectBackgrounds = jsonStatement<TaskRow>(
  `SELECT t.id, w.subject AS workflow, m.name AS asked_by, t.required_approvals AS required, r.id AS request, r.subject AS request_subject,
  b.name AS requested_by, f.name AS requested_for,
  (SELECT n.text FROM notes n WHERE n.request_id = r.id AND n.account_id = r.account_id AND NOT n.internal ORDER BY n.id LIMIT 1) AS note
FROM tasks t JOIN workflows w ON w.id = t.workflow_id AND w.account_id = t.account_id LEFT JOIN people m ON m.id = t.manager_id
LEFT JOIN LATERAL (SELECT * FROM requests q WHERE q.workflow_id = w.id AND q.account_id = t.account_id AND q.life_cycle = 'active' ORDER BY q.id LIMIT 1) r ON true
LEFT JOIN people b ON b.id = r.requested_by_id LEFT JOIN people f ON f.id = r.requested_for_id
WHERE t.id = ANY($1::integer[]) AND t.account_id = $2`,
);

/** By task. */
export async function loadApprovalBackgrounds(
  engine: Engine,
  account: string,
  tasks: readonly number[],
): Promise<ReadonlyMap<number, ApprovalBackground>> {
  const rows = await queryRows(engine.database, selectBackgrounds, [tasks, account]);
  const lineRows = await loadLineRows(
    engine,
    account,
    rows.flatMap(({ request }) => request ?? []),
  );
  return new Map(
    rows.map(
      ({ id, workflow, asked_by, required, request, request_subject, ...shown }): [number, ApprovalBackground] => {
        if (request === null) return [id, { workflow, asked_by, required, request }];
        const lines = pickLines(lineRows, request);
        const { requested_by, requested_for } = shown;
        const note = extractReason(shown.note, lines);
        const about = { id: request, subject: request_subject ?? "", requested_by, requested_for, note, lines };
        return [id, { workflow, asked_by, required, request: about }];
      },
    ),
  );
}
