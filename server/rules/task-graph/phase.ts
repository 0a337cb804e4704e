import { Invalid } from "../../base/errors.ts";
import type { TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { setNextPosition } from "../shared/next-position.ts";

// Phases of workflows and projects, and of their templates. PH1 to PH3.

/** The whole is locked before its parts. */
const lockContainerFirst = (container: "workflow" | "project"): NonNullable<TypeRules["lockFirst"]> => {
  const lockOf = statement(
    `SELECT 1 FROM ${container}s WHERE id = (SELECT ${container}_id FROM ${container}_phases WHERE id = $1) FOR NO KEY UPDATE`,
  );
  return async (tx, record) => {
    if ("id" in record) await tx.query(lockOf, [record.id]);
  };
};

const selectTaskOfProject = statement("SELECT 1 FROM project_tasks WHERE project_id = $1 LIMIT 1");

export const workflowPhaseRules: TypeRules = {
  lockFirst: lockContainerFirst("workflow"),
  beforeSave: setNextPosition("workflow_phases", "workflow"),
};

export const projectPhaseRules: TypeRules = {
  lockFirst: lockContainerFirst("project"),
  beforeSave: setNextPosition("project_phases", "project"),
  async afterDelete({ tx, values, isWholeList: all }) {
    if (values.status !== "registered") throw new Invalid([["status", "is not valid"]]);
    if (all && (await tx.query(selectTaskOfProject, [values.project as number])).length > 0)
      throw new Invalid([["base", "still has tasks"]]);
  },
};

// A relation names its phase; it keeps to it when the phase gets another name.
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

export const workflowTemplatePhaseRules: TypeRules = {
  beforeSave: setNextPosition("workflow_template_phases", "workflow_template"),
  afterSave({ tx, before, after }) {
    if (before !== null && before.name !== after.name)
      tx.send(renamePhaseInTaskTemplateRelations, [
        after.workflow_template as number,
        before.name as string,
        after.name as string,
      ]);
  },
  afterDelete({ tx, values }) {
    tx.send(renamePhaseInTaskTemplateRelations, [values.workflow_template as number, values.name as string, null]);
  },
};

export const projectTemplatePhaseRules: TypeRules = {
  beforeSave: setNextPosition("project_template_phases", "project_template"),
  afterSave({ tx, before, after }) {
    if (before !== null && before.name !== after.name)
      tx.send(renamePhaseInProjectTaskTemplateRelations, [
        after.project_template as number,
        before.name as string,
        after.name as string,
      ]);
  },
  // A relation cannot be without a phase, so a template that has any keeps at least that one.
  async afterDelete({ tx, values }) {
    if ((await tx.query(selectRelationOfPhase, [values.project_template as number, values.name as string])).length > 0)
      throw new Invalid([["base", "is still in use"]]);
  },
};
