import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { selectTeamMember } from "../people/team.ts";
import { findTeamOfPerson } from "./assignment.ts";

// What a request gets from its template: RQ23, R16. A new request takes the plain fields over by the word
// `defaultFrom`.

const copiedColumns = {
  category: "category",
  impact: "impact",
  status: "status",
  completion_reason: "completion_reason",
  rfc_type: "rfc_type_id",
  team: "team_id",
  member: "member_id",
  supplier: "supplier_id",
  ci: "ci_id",
  note: "note",
  planned_effort: "planned_effort",
  urgent: "urgent",
};
const selectTemplate = statement(
  `SELECT json_build_object(${Object.entries(copiedColumns)
    .map(([name, column]) => `'${name}', t.${column}`)
    .join(", ")}), json_build_object('subject', CASE WHEN t.copy_subject_to_requests THEN t.subject END,
  'assignsToSelf', t.assign_to_self, 'isDisabled', t.disabled, 'service', t.service_id, 'workflowTemplate', w.id,
  'workflowIsDisabled', w.disabled,
  'workflowManager', coalesce(t.workflow_manager_id, w.workflow_manager_id), 'workflowService', w.service_id)
FROM request_templates t LEFT JOIN workflow_templates w ON w.id = t.workflow_template_id WHERE t.id = $1`,
);

export type AppliedTemplate = {
  subject: string | null;
  assignsToSelf: boolean;
  isDisabled: boolean;
  workflowIsDisabled: boolean | null;
  service: number | null;
  workflowTemplate: number | null;
  workflowManager: number | null;
  workflowService: number | null;
};

const isInTeam = async ({ tx, after }: Change, person: number): Promise<boolean> =>
  (await tx.query(selectTeamMember, [after.team as number | null, person])).length > 0;

/** Part of `check`: the template that is applied now, if one is. */
export async function applyTemplate(change: Change): Promise<AppliedTemplate | null> {
  const { tx, before, after, changed, given, cause, problem } = change;
  if (!changed.has("template") || after.template === null) return null;
  if (after.grouping === "group") {
    after.note = null; // a group only says which template its requests are of
    return null;
  }
  const [row] = await tx.query(selectTemplate, [after.template as number]);
  if (row === undefined) return null;
  const [values, template] = row.map((text) => JSON.parse(text as string)) as [Values, AppliedTemplate];
  if (template.isDisabled && cause !== null) problem("template", "is not valid");
  if (before !== null) {
    // What is over is not opened again by a template.
    if (before.status === "completed") for (const name of ["status", "completion_reason"]) delete values[name];
    for (const [name, value] of Object.entries(values)) if (value !== null && !given.has(name)) after[name] = value;
  }
  after.subject ??= template.subject;
  // The member of the template is one of its team; another team, or one the person has left, has no use for that member.
  if (!given.has("member") && after.member !== null && after.member === values.member && after.team !== null)
    if (!(await isInTeam(change, after.member as number))) after.member = null;
  return template;
}

const selectService = statement(
  `SELECT s.id, s.change_manager_id FROM services s WHERE s.id = coalesce($1, (SELECT service_id FROM service_instances WHERE id = $2), $3)`,
);

/** R16: a template with a workflow template starts a workflow, unless the call says that something else is to happen. */
export async function startWorkflow(change: Change, template: AppliedTemplate | null): Promise<void> {
  const { tx, before, after, given, create, problem } = change;
  if (template?.workflowTemplate == null || after.workflow !== null || before?.status === "completed") return;
  if (given.has("status") && after.status !== "workflow_pending") return;
  if (template.workflowIsDisabled) return problem("template", "is not valid"); // WF2
  const [row] = await tx.query(selectService, [
    template.workflowService,
    after.service_instance as number | null,
    template.service,
  ]);
  const [service, changeManager] = [row?.[0], row?.[1]].map((id) => (id == null ? null : Number(id)));
  const manager = template.workflowManager ?? changeManager ?? null;
  after.workflow = await create("workflow", {
    template: template.workflowTemplate,
    manager,
    ...(template.workflowService === null ? { service: service ?? null } : {}),
  });
  after.status = "workflow_pending";
  if (manager === null || given.has("member")) return;
  if (!given.has("team")) after.team = (await findTeamOfPerson(change, manager)) ?? after.team ?? null;
  else if (!(await isInTeam(change, manager))) return;
  after.member = manager;
}

const checklistItemPattern = /^\s*(?:[-*+]|\d+[.)])?\s*\[[ xX]?\]\s*(.+?)\s*$/gm;
const selectInstructions = statement("SELECT instructions FROM request_templates WHERE id = $1");

/** RQ19: what is on no list cannot be checked off. */
export async function dropUnknownCheckedItems({ tx, after, changed }: Change): Promise<void> {
  if (!changed.has("checked_items") || !Array.isArray(after.checked_items)) return;
  const [row] = after.template === null ? [] : await tx.query(selectInstructions, [after.template as number]);
  const known = new Set([...(row?.[0] ?? "").matchAll(checklistItemPattern)].map(([, name]) => name));
  after.checked_items = (after.checked_items as string[]).filter((name) => known.has(name));
}
