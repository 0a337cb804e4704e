import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";

// Whom a task template asks for when a task is made of it: TK12, in that order.

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
FROM task_templates m JOIN workflows w ON w.id = $2
LEFT JOIN people p ON p.id = coalesce($3::integer, (SELECT r.requested_for_id FROM requests r WHERE r.workflow_id = w.id ORDER BY r.id LIMIT 1))
LEFT JOIN organizations o ON o.id = p.organization_id
LEFT JOIN organizations u ON u.id = CASE WHEN o.business_unit THEN o.id ELSE o.business_unit_organization_id END
LEFT JOIN services s ON s.id = w.service_id
WHERE m.id = $1`,
);

export type TemplateAssignee = { person: number; plannedEffort: number | null };

/** A workflow that is made for a request is not linked to it yet. */
function findRequesterInCauses(change: Change): number | null {
  for (let each: Change | null = change.cause; each !== null; each = each.cause)
    if (each.type === "request") return each.after.requested_for as number | null;
  return null;
}

/** `approvers`: those the template names, then those its flags mean. */
export async function loadTemplateAssignees(
  change: Change,
): Promise<{ flagged: TemplateAssignee[]; approvers: TemplateAssignee[] }> {
  const { tx, after } = change;
  const none = { flagged: [], approvers: [] };
  if (typeof after.template !== "number" || typeof after.workflow !== "number") return none;
  const [row] = await tx.query(selectTemplateAssignees, [
    after.template,
    after.workflow,
    findRequesterInCauses(change),
  ]);
  if (row === undefined) return none;
  const flagged = assigneeFlags.flatMap((_, index) => {
    const person = parseNumberOrNull(row[assigneeFlags.length * 2 + index]);
    const isAsked = row[index * 2] === "t" && person !== null;
    return isAsked ? [{ person, plannedEffort: parseNumberOrNull(row[index * 2 + 1]) }] : [];
  });
  const named = (JSON.parse(row.at(-1) ?? "[]") as [number, number | null][]).map(([person, plannedEffort]) => ({
    person,
    plannedEffort,
  }));
  const approvers = [...named, ...flagged].filter(
    (one, index, all) => all.findIndex((other) => other.person === one.person) === index,
  );
  return { flagged, approvers };
}
