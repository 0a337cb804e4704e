import { projectPhase } from "../../../records/work/project-phase.ts";
import { projectTemplatePhase } from "../../../records/work/project-template-phase.ts";
import { workflowPhase } from "../../../records/work/workflow-phase.ts";
import { workflowTemplatePhase } from "../../../records/work/workflow-template-phase.ts";
import { Invalid } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { rulesFor, type TypeRules } from "../../engine/rules.ts";
import { setNextPosition } from "../shared/next-position.ts";

// Phases of workflows and projects, and of their templates. PH1 to PH3.

/** Every transaction locks a workflow or a project before its phases and tasks. */
const lockContainerFirst = (container: "workflow" | "project"): NonNullable<TypeRules["lockFirst"]> => {
  const lockContainerOfPhase = statement(
    `SELECT 1 FROM ${container}s WHERE id = (SELECT ${container}_id FROM ${container}_phases WHERE id = $1 AND account_id = $2) AND account_id = $2 FOR NO KEY UPDATE`,
  );
  return async (tx, record) => {
    if ("id" in record) await tx.query(lockContainerOfPhase, [record.id, record.account]);
  };
};

const selectTaskOfProject = statement("SELECT 1 FROM project_tasks WHERE project_id = $1 AND account_id = $2 LIMIT 1");

export const workflowPhaseRules = rulesFor(workflowPhase, {
  lockFirst: lockContainerFirst("workflow"),
  beforeSave: setNextPosition("workflow_phases", "workflow"),
});

export const projectPhaseRules = rulesFor(projectPhase, {
  lockFirst: lockContainerFirst("project"),
  beforeSave: setNextPosition("project_phases", "project"),
  async afterDelete({ tx, values, account, isWholeList }) {
    if (values.status !== "registered") throw new Invalid([["status", "is not valid"]]);
    if (isWholeList && (await tx.query(selectTaskOfProject, [values.project, account])).length > 0)
      throw new Invalid([["base", "still has tasks"]]);
  },
});

// A relation refers to its phase by name, so it has to follow when the phase is renamed.
const buildRenamePhaseInRelations = (relations: string, template: string) =>
  statement(`UPDATE ${relations} SET phase_name = $3 WHERE ${template}_id = $1 AND phase_name = $2`);
const renamePhaseInTaskTemplateRelations = buildRenamePhaseInRelations("task_template_relations", "workflow_template");
const renamePhaseInProjectTaskTemplateRelations = buildRenamePhaseInRelations(
  "project_task_template_relations",
  "project_template",
);
const selectRelationOfPhase = statement(
  "SELECT 1 FROM project_task_template_relations WHERE project_template_id = $1 AND phase_name = $2 LIMIT 1",
);

export const workflowTemplatePhaseRules = rulesFor(workflowTemplatePhase, {
  beforeSave: setNextPosition("workflow_template_phases", "workflow_template"),
  afterSave({ tx, before, after }) {
    if (before !== null && before.name !== after.name)
      tx.send(renamePhaseInTaskTemplateRelations, [after.workflow_template, before.name, after.name]);
  },
  afterDelete({ tx, values }) {
    tx.send(renamePhaseInTaskTemplateRelations, [values.workflow_template, values.name, null]);
  },
});

export const projectTemplatePhaseRules = rulesFor(projectTemplatePhase, {
  beforeSave: setNextPosition("project_template_phases", "project_template"),
  afterSave({ tx, before, after }) {
    if (before !== null && before.name !== after.name)
      tx.send(renamePhaseInProjectTaskTemplateRelations, [after.project_template, before.name, after.name]);
  },
  // Relations of project templates need a phase, so a phase with relations cannot be deleted.
  async afterDelete({ tx, values }) {
    if ((await tx.query(selectRelationOfPhase, [values.project_template, values.name])).length > 0)
      throw new Invalid([["base", "is still in use"]]);
  },
});
