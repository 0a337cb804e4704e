import type { Change, TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { alike, countApplied, takingOver } from "./from-template.ts";
import { addNotes } from "./notes.ts";

// Reference: lifecycles.md section 9, records/workflows-and-tasks.md.

const takeOver = takingOver("workflow_templates", alike("prevent_request_completion"));
const countTemplate = countApplied("workflow_templates");

/** never set by anybody: what the service goes through, and what was replaced by in_progress */
const unsettable = ["being_created", "risk_and_impact", "approval", "implementation"];

const mayManage = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND person_id = $2 AND role IN ('workflow_manager', 'account_administrator')",
);

/** Everybody may manage a workflow of their own; it is given to those alone who manage workflows. */
async function checkManager({ tx, by, after, changed, problem }: Change): Promise<void> {
  if (!changed.has("manager") || after.manager === null || after.manager === by.person) return;
  if ((await tx.query(mayManage, [by.account, after.manager as number])).length === 0)
    problem("manager", "is not valid");
}

const tellTasks = statement("UPDATE tasks SET manager_id = $2 WHERE workflow_id = $1");

export const workflowRules: TypeRules = {
  compute: { nothing: () => null },
  async check(change) {
    const { after, changed, problem } = change;
    await takeOver(change);
    await checkManager(change);
    if (changed.has("status") && unsettable.includes(String(after.status))) problem("status", "is not valid");
  },
  async saved(change) {
    const { tx, id, before, after } = change;
    countTemplate(change);
    if (before !== null && before.manager !== after.manager) tx.send(tellTasks, [id, after.manager as number]);
    await addNotes(change);
  },
};
