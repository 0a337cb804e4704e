import { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import { statement } from "../../database/database.ts";
import { parseBoolean, parseNumberOrNull } from "../../database/rows.ts";
import { type Change, isChangeOf } from "../../engine/rules.ts";

// The people that a task template names for its tasks: TK12, in that order.

const assigneeFlags = [
  "workflow_manager",
  "requester",
  "requester_manager",
  "requester_business_unit_manager",
  "service_owner",
];

const selectTemplateAssignees = statement(
  `SELECT ${assigneeFlags.map((flag) => `m.assign_to_${flag}, m.planned_effort_${flag}`).join(", ")},
  w.manager_id, p.id, p.manager_id, u.manager_id, s.service_owner_id,
  (SELECT json_agg(json_build_array(a.approver_id, a.planned_effort) ORDER BY a.id) FROM task_template_approvals a WHERE a.task_template_id = m.id)
FROM task_templates m JOIN workflows w ON w.id = $2 AND w.account_id = $4
LEFT JOIN people p ON p.id = coalesce($3::integer, (SELECT r.requested_for_id FROM requests r WHERE r.workflow_id = w.id AND r.account_id = w.account_id ORDER BY r.id LIMIT 1))
LEFT JOIN organizations o ON o.id = p.organization_id
LEFT JOIN organizations u ON u.id = CASE WHEN o.business_unit THEN o.id ELSE o.business_unit_organization_id END
LEFT JOIN services s ON s.id = w.service_id
WHERE m.id = $1`,
);

export type TemplateAssignee = { person: number; plannedEffort: number | null };

/** A workflow that a change of a request creates is not linked to the request yet. */
function findRequesterInCauses(change: Change<typeof task>): number | null {
  for (let each: Change | null = change.cause; each !== null; each = each.cause)
    if (isChangeOf(request, each)) return each.after.requested_for;
  return null;
}

/** `flagged` are the people whom the flags of the template mean; `approvers` adds those it names to them, in front. */
export async function loadTemplateAssignees(
  change: Change<typeof task>,
): Promise<{ flagged: TemplateAssignee[]; approvers: TemplateAssignee[] }> {
  const { tx, account, after } = change;
  const none = { flagged: [], approvers: [] };
  if (after.template === null || after.workflow === null) return none;
  const parameters = [after.template, after.workflow, findRequesterInCauses(change), account];
  const [row] = await tx.query(selectTemplateAssignees, parameters);
  if (row === undefined) return none;
  const flagged = assigneeFlags.flatMap((_, index) => {
    const person = parseNumberOrNull(row[assigneeFlags.length * 2 + index]);
    const isFlagged = parseBoolean(row[index * 2]) && person !== null;
    return isFlagged ? [{ person, plannedEffort: parseNumberOrNull(row[index * 2 + 1]) }] : [];
  });
  const pairs: [number, number | null][] = JSON.parse(row.at(-1) ?? "[]");
  const named = pairs.map(([person, plannedEffort]) => ({ person, plannedEffort }));
  const approvers = [...named, ...flagged].filter(
    (one, index, all) => all.findIndex((other) => other.person === one.person) === index,
  );
  return { flagged, approvers };
}
