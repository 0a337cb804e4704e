import type { RequestForm } from "../../../records/answers/portal-forms.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { find } from "../../engine/find.ts";
import { loadExtensionForm } from "./extension-form.ts";

// The form of a request template: its words, the fields of its UI extension, how long such requests take, and what
// happens after sending.

type Usual = { count: number; minutes: number | null };
const selectUsualTime = jsonStatement<Usual>(
  `SELECT count(*)::integer AS count, (percentile_cont(0.5) WITHIN GROUP (ORDER BY d.resolution_duration))::integer AS minutes FROM (
  SELECT resolution_duration FROM requests WHERE account_id = $2 AND template_id = $1 AND status = 'completed' AND completion_reason = 'solved'
  ORDER BY id DESC LIMIT 50) d`,
);
type Plan = { team: string | null; approvals: number };
const selectPlan = jsonStatement<Plan>(
  `SELECT tm.name AS team, (SELECT count(*)::integer FROM task_template_relations r JOIN task_templates k ON k.id = r.task_template_id AND k.account_id = t.account_id
    WHERE r.workflow_template_id = t.workflow_template_id AND r.account_id = t.account_id AND k.category = 'approval') AS approvals
FROM request_templates t LEFT JOIN services s ON s.id = t.service_id AND s.account_id = t.account_id
LEFT JOIN teams tm ON tm.account_id = t.account_id AND tm.id = COALESCE(t.team_id, s.first_line_team_id, s.support_team_id)
WHERE t.id = $1 AND t.account_id = $2`,
);

const templateFields = [
  ...[
    "localized_subject",
    "subject",
    "category",
    "action_type",
    "localized_registration_hints",
    "localized_note",
    "service",
  ],
  ...["asset_selection", "copy_subject_to_requests"],
];

export async function loadRequestForm(engine: Engine, by: Caller, id: number): Promise<RequestForm> {
  const type = engine.types.get("request_template");
  const template: RequestForm["template"] = JSON.parse(await find(engine, by, type, id, templateFields));
  const values = [id, by.account];
  const [extension, usual, plan] = await Promise.all([
    loadExtensionForm(engine, "request_template", id, by.account),
    queryFirst(engine.database, selectUsualTime, values),
    queryFirst(engine.database, selectPlan, values),
  ]);
  return {
    template,
    ...extension,
    usual_minutes: (usual?.count ?? 0) < 3 ? null : (usual?.minutes ?? null),
    steps: [
      ...((plan?.approvals ?? 0) > 0 ? [{ kind: "approval" as const, text: null }] : []),
      { kind: "work" as const, text: plan?.team ?? null },
    ],
  };
}
