import { enumerations } from "../../../records/enumerations/index.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { settleNextOccurrence } from "../time/recurrence.ts";
import { createIsAfter } from "./predecessors.ts";

// RC10

/** what a workflow cannot be without, and nobody is there to ask when a schedule makes one */
const fieldsNeededToRecur = ["workflow_manager", "service", "category", "justification", "workflow_type"];
const selectRequestTemplateUsing = statement("SELECT 1 FROM request_templates WHERE workflow_template_id = $1 LIMIT 1");

export const workflowTemplateRules: TypeRules = {
  conditions: {
    "has this task template": (_by, here) => ({
      key: "has task template",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT workflow_template_id FROM task_template_relations WHERE task_template_id = ${next()})`,
      values: [here ?? null],
    }),
  },
  async beforeSave(change) {
    const { tx, id, before, after, changed, problem } = change;
    await settleNextOccurrence(change);
    if (after.recurrence !== null)
      for (const member of fieldsNeededToRecur)
        if (after[member] === null) problem("recurrence", "is not valid without {member}", { member });
    if (before !== null && changed.has("justification") && after.justification === null)
      if ((await tx.query(selectRequestTemplateUsing, [id])).length > 0) problem("justification", "can't be blank");
  },
};

// The impact of a workflow template is the highest of its task templates.
const buildUpdateImpact = (which: string) =>
  statement(
    `UPDATE workflow_templates w SET impact = coalesce((
  SELECT t.impact FROM task_template_relations r JOIN task_templates t ON t.id = r.task_template_id
  WHERE r.workflow_template_id = w.id AND t.impact IS NOT NULL
  ORDER BY array_position($2::text[], t.impact) DESC LIMIT 1), 'none')
WHERE ${which}`,
  );
const impactRanks = enumerations["task.impact"];
const updateImpactOfTemplate = buildUpdateImpact("w.id = $1");
const updateImpactOfTemplatesUsing = buildUpdateImpact(
  "w.id IN (SELECT workflow_template_id FROM task_template_relations WHERE task_template_id = $1)",
);

export const taskTemplateRules: TypeRules = {
  conditions: {
    "is used by this workflow template": (_by, here) => ({
      key: "of workflow template",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT task_template_id FROM task_template_relations WHERE workflow_template_id = ${next()})`,
      values: [here ?? null],
    }),
  },
  afterSave({ tx, id, before, after }) {
    if (before !== null && before.impact !== after.impact) tx.send(updateImpactOfTemplatesUsing, [id, impactRanks]);
  },
};

const isAfter = createIsAfter("task_template_relation_predecessor_ids", "task_template_relation");
const selectRelationOfOtherTemplate = statement(
  `SELECT 1 FROM unnest($1::integer[]) AS wanted (id)
WHERE NOT EXISTS (SELECT 1 FROM task_template_relations r WHERE r.id = wanted.id AND r.workflow_template_id = $2) LIMIT 1`,
);
const lockTemplate = statement("SELECT 1 FROM workflow_templates WHERE id = $1 FOR NO KEY UPDATE");
const selectPhaseByName = statement(
  "SELECT 1 FROM workflow_template_phases WHERE workflow_template_id = $1 AND name = $2",
);

async function checkRelation({ tx, id, after, changed, problem }: Change): Promise<void> {
  const template = after.workflow_template as number;
  if (changed.has("phase_name") && after.phase_name !== null)
    if ((await tx.query(selectPhaseByName, [template, after.phase_name as string])).length === 0)
      problem("phase_name", "is not valid");
  if (!changed.has("predecessor_ids")) return;
  const earlier = (after.predecessor_ids ?? []) as readonly number[];
  await tx.query(lockTemplate, [template]);
  const foreign = (await tx.query(selectRelationOfOtherTemplate, [earlier, template])).length > 0;
  if (foreign || (await isAfter(tx, earlier, [id]))) problem("predecessor_ids", "is not valid");
}

export const taskTemplateRelationRules: TypeRules = {
  beforeSave: checkRelation,
  afterSave({ tx, after }) {
    tx.send(updateImpactOfTemplate, [after.workflow_template as number, impactRanks]);
  },
  afterDelete({ tx, values }) {
    tx.send(updateImpactOfTemplate, [values.workflow_template as number, impactRanks]);
  },
};
