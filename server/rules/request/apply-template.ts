import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import { type Row, statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { selectTeamMember } from "../people/team.ts";
import { assignToCaller } from "../work-item/assign-member.ts";
import { findTeamOfPerson } from "./assignment.ts";

// The values that a request gets from its template: RQ23, R16. A new request copies the plain fields by `defaultFrom` of its
// declaration.

type RequestChange = Change<typeof request>;

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

type CopiedValues = Pick<RowOf<typeof request>, keyof typeof copiedColumns>;
type AppliedTemplate = {
  subject: string | null;
  assignsToSelf: boolean;
  isDisabled: boolean;
  workflowIsDisabled: boolean | null;
  service: number | null;
  workflowTemplate: number | null;
  workflowManager: number | null;
  workflowService: number | null;
};

const parseTemplate = (row: Row): { values: CopiedValues; template: AppliedTemplate } => ({
  values: JSON.parse(row[0] ?? "{}"),
  template: JSON.parse(row[1] ?? "{}"),
});

const isInTeam = async ({ tx, after }: RequestChange, person: number): Promise<boolean> =>
  (await tx.query(selectTeamMember, [after.team, person])).length > 0;

function copyUnlessGiven({ after, given }: Change, values: Values): void {
  for (const [name, value] of Object.entries(values)) if (value !== null && !given.has(name)) after[name] = value;
}

/** The template that a change applies, for the steps that come after `applyTemplate`. */
const appliedTemplates = new WeakMap<RequestChange["after"], AppliedTemplate>();

export async function applyTemplate(change: RequestChange): Promise<void> {
  const { tx, before, after, changed, given, cause, problem } = change;
  if (!changed.has("template") || after.template === null) return;
  if (after.grouping === "group") {
    after.note = null; // a group only names the template of its requests
    return;
  }
  const [row] = await tx.query(selectTemplate, [after.template]);
  if (row === undefined) return;
  const { values, template } = parseTemplate(row);
  if (template.isDisabled && cause !== null) problem("template", "is not valid");
  if (before !== null) {
    // A template does not reopen a completed request.
    const { status, completion_reason, ...others } = values;
    copyUnlessGiven(change, before.status === "completed" ? others : values);
  }
  after.subject ??= template.subject;
  // The member of the template belongs to the team of the template, perhaps no longer, and perhaps to no other team.
  if (!given.has("member") && after.member !== null && after.member === values.member && after.team !== null)
    if (!(await isInTeam(change, after.member))) after.member = null;
  appliedTemplates.set(after, template);
}

const selectService = statement(
  `SELECT s.id, s.change_manager_id FROM services s WHERE s.id = coalesce($1, (SELECT service_id FROM service_instances WHERE id = $2), $3)`,
);

/** R16: a template with a workflow template starts a workflow, unless the call names another status. */
export async function startWorkflow(change: RequestChange): Promise<void> {
  const { tx, before, after, given, create, problem } = change;
  const template = appliedTemplates.get(after);
  if (template === undefined || template.workflowTemplate === null) return;
  if (after.workflow !== null || before?.status === "completed") return;
  if (given.has("status") && after.status !== "workflow_pending") return;
  if (template.workflowIsDisabled) return problem("template", "is not valid"); // WF2
  const ids = [template.workflowService, after.service_instance, template.service];
  const [row] = await tx.query(selectService, ids);
  const [service, changeManager] = [parseNumberOrNull(row?.[0]), parseNumberOrNull(row?.[1])];
  const manager = template.workflowManager ?? changeManager;
  after.workflow = await create("workflow", {
    template: template.workflowTemplate,
    manager,
    ...(template.workflowService === null ? { service } : {}),
  });
  after.status = "workflow_pending";
  if (manager === null || given.has("member")) return;
  if (!given.has("team")) after.team = (await findTeamOfPerson(change, manager)) ?? after.team;
  else if (!(await isInTeam(change, manager))) return;
  after.member = manager;
}

export async function assignToCallerIfTemplateSays(change: RequestChange): Promise<void> {
  if (appliedTemplates.get(change.after)?.assignsToSelf && !change.given.has("member")) await assignToCaller(change);
}

const checklistItemPattern = /^\s*(?:[-*+]|\d+[.)])?\s*\[[ xX]?\]\s*(.+?)\s*$/gm;
const selectInstructions = statement("SELECT instructions FROM request_templates WHERE id = $1");

/** RQ19: only items of the template's checklist can be checked off. */
export async function dropUnknownCheckedItems({ tx, after, changed }: RequestChange): Promise<void> {
  if (!changed.has("checked_items") || after.checked_items === null) return;
  const [row] = after.template === null ? [] : await tx.query(selectInstructions, [after.template]);
  const known = new Set([...(row?.[0] ?? "").matchAll(checklistItemPattern)].map(([, name]) => name));
  after.checked_items = after.checked_items.filter((name) => known.has(name));
}
