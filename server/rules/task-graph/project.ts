import { project } from "../../../records/work/project.ts";
import { projectTaskTemplateRelation } from "../../../records/work/project-task-template-relation.ts";
import { projectTemplate } from "../../../records/work/project-template.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { addNotes } from "../communication/notes.ts";
import { updateRecordsLinkedToContainer } from "../work-item/linked-work.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { checkManualCompletion, copyManagerToTasks } from "./manager-actions.ts";
import { projectGraph as graph } from "./project-graph.ts";

// PostgreSQL adds the decimals: numbers of JavaScript would round them.

const selectTotalCost = statement(
  "SELECT CASE WHEN num_nonnulls($1::numeric, $2::numeric) > 0 THEN trim_scale(coalesce($1, 0) + coalesce($2, 0)) END",
);
const selectReturnOnInvestment = statement(
  `SELECT CASE WHEN abs(percentage) <= 2147483647 THEN percentage END
FROM (SELECT round(($1::numeric - $2::numeric) / nullif($2::numeric, 0) * 100) AS percentage) roi`,
);

type ProjectChange = Change<typeof project>;

async function calculateTotalCost({ tx, after }: ProjectChange): Promise<string | null> {
  if (after.cost_of_effort === null && after.cost_of_purchases === null) return null;
  const [row] = await tx.query(selectTotalCost, [after.cost_of_effort, after.cost_of_purchases]);
  return row?.[0] ?? null;
}

async function calculateReturnOnInvestment({ tx, after }: ProjectChange): Promise<number | null> {
  if (after.value === null || after.total_cost === null) return null;
  const [row] = await tx.query(selectReturnOnInvestment, [after.value, after.total_cost]);
  return parseNumberOrNull(row?.[0]);
}

/** A status that the manager sets affects the tasks; one that follows from the tasks does not. */
async function updateTasksAfterManualStatus(change: ProjectChange): Promise<void> {
  const { id, before, after, cause } = change;
  if (cause !== null || before === null || before.status === after.status) return;
  await graph.updateAround(change, id, async () => {
    if (after.status === "completed") await graph.cancelOpenTasks(change, id);
  });
}

export const projectRules = rulesFor(project, {
  derive: { "sum of the two costs": calculateTotalCost, "return on investment": calculateReturnOnInvestment },
  beforeSave: checkManualCompletion(graph),
  effects: { "set the resolution duration": setResolutionDuration("created_at", "completed_at") },
  afterSave: steps(
    copyManagerToTasks("project_task", "project"),
    addNotes,
    updateTasksAfterManualStatus,
    updateRecordsLinkedToContainer,
  ),
});

const selectPhaseByName = statement(
  "SELECT 1 FROM project_template_phases WHERE project_template_id = $1 AND name = $2",
);
const buildTemplateDisabledCondition = (disabled: boolean) => () => ({
  key: `template ${disabled ? "disabled" : "enabled"}`,
  sql: (alias: string) =>
    `${alias}.task_template_id IN (SELECT id FROM project_task_templates WHERE ${disabled ? "" : "NOT "}disabled)`,
  values: [],
});

export const projectTaskTemplateRelationRules = rulesFor(projectTaskTemplateRelation, {
  conditions: {
    "its task template is enabled": buildTemplateDisabledCondition(false),
    "its task template is disabled": buildTemplateDisabledCondition(true),
  },
  async beforeSave({ tx, after, changed, problem }) {
    if (!changed.has("phase_name") || after.phase_name === null) return;
    if ((await tx.query(selectPhaseByName, [after.project_template, after.phase_name])).length === 0)
      problem("phase_name", "is not valid");
  },
});

export const projectTemplateRules = rulesFor(projectTemplate, {
  conditions: {
    "has this project task template": (_by, here) => ({
      key: "has project task template",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT project_template_id FROM project_task_template_relations WHERE task_template_id = ${next()})`,
      values: [here ?? null],
    }),
  },
});
