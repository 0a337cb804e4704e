import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { addNotes } from "../communication/notes.ts";
import { updateRecordsLinkedToContainer } from "../work-item/linked-work.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { checkManualCompletion, copyManagerToTasks } from "./manager-actions.ts";
import { projectGraph as progress } from "./project-graph.ts";

// Decimals are added up by the database, which does not round them.

const selectTotalCost = statement(
  "SELECT CASE WHEN num_nonnulls($1::numeric, $2::numeric) > 0 THEN trim_scale(coalesce($1, 0) + coalesce($2, 0)) END",
);
const selectReturnOnInvestment = statement(
  `SELECT CASE WHEN abs(percentage) <= 2147483647 THEN percentage END
FROM (SELECT round(($1::numeric - $2::numeric) / nullif($2::numeric, 0) * 100) AS percentage) roi`,
);
const text = (value: unknown): string | null => (value == null ? null : String(value));

async function calculateTotalCost({ tx, after }: Change): Promise<string | null> {
  if (after.cost_of_effort === null && after.cost_of_purchases === null) return null;
  const [row] = await tx.query(selectTotalCost, [text(after.cost_of_effort), text(after.cost_of_purchases)]);
  return row?.[0] ?? null;
}

async function calculateReturnOnInvestment({ tx, after }: Change): Promise<number | null> {
  if (after.value === null || after.total_cost === null) return null;
  const percentage = (await tx.query(selectReturnOnInvestment, [text(after.value), text(after.total_cost)]))[0]?.[0];
  return percentage == null ? null : Number(percentage);
}

const copyManager = copyManagerToTasks("project_task", "project");

export const projectRules: TypeRules = {
  derive: { "sum of the two costs": calculateTotalCost, "return on investment": calculateReturnOnInvestment },
  beforeSave: checkManualCompletion(progress),
  effects: { "tell how long it took": setResolutionDuration("created_at", "completed_at") },
  async afterSave(change) {
    const { id, before, after, cause } = change;
    await copyManager(change);
    await addNotes(change);
    if (cause === null && before !== null && before.status !== after.status)
      await progress.updateAround(change, id, async () => {
        if (after.status === "completed") await progress.cancelOpenTasks(change, id);
      });
    await updateRecordsLinkedToContainer(change);
  },
};

const selectPhaseByName = statement(
  "SELECT 1 FROM project_template_phases WHERE project_template_id = $1 AND name = $2",
);
const buildTemplateDisabledCondition = (disabled: boolean) => () => ({
  key: `template ${disabled ? "disabled" : "enabled"}`,
  sql: (alias: string) =>
    `${alias}.task_template_id IN (SELECT id FROM project_task_templates WHERE ${disabled ? "" : "NOT "}disabled)`,
  values: [],
});

export const projectTaskTemplateRelationRules: TypeRules = {
  conditions: {
    "its task template is enabled": buildTemplateDisabledCondition(false),
    "its task template is disabled": buildTemplateDisabledCondition(true),
  },
  async beforeSave({ tx, after, changed, problem }) {
    if (!changed.has("phase_name") || after.phase_name === null) return;
    const { project_template: template, phase_name: name } = after;
    if ((await tx.query(selectPhaseByName, [template as number, name as string])).length === 0)
      problem("phase_name", "is not valid");
  },
};

export const projectTemplateRules: TypeRules = {
  conditions: {
    "has this project task template": (_by, here) => ({
      key: "has project task template",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT project_template_id FROM project_task_template_relations WHERE task_template_id = ${next()})`,
      values: [here ?? null],
    }),
  },
};
