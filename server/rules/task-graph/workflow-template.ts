import { enumerations } from "../../../records/enumerations/index.ts";
import { taskTemplate } from "../../../records/work/task-template.ts";
import { taskTemplateRelation } from "../../../records/work/task-template-relation.ts";
import { workflowTemplate } from "../../../records/work/workflow-template.ts";
import { statement } from "../../database/database.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { settleNextOccurrence } from "../time/recurrence.ts";
import { createIsAfter } from "./predecessors.ts";

// RC10

type TemplateChange = Change<typeof workflowTemplate>;

/** fields that a workflow needs; a workflow that a recurrence creates has no caller to give them */
const fieldsNeededToRecur = ["workflow_manager", "service", "category", "justification", "workflow_type"] as const;
const selectRequestTemplateUsing = statement("SELECT 1 FROM request_templates WHERE workflow_template_id = $1 LIMIT 1");

function checkFieldsOfRecurrence({ after, problem }: TemplateChange): void {
  if (after.recurrence === null) return;
  for (const member of fieldsNeededToRecur)
    if (after[member] === null) problem("recurrence", "is not valid without {member}", { member });
}

async function checkJustification({ tx, id, before, after, changed, problem }: TemplateChange): Promise<void> {
  if (before === null || !changed.has("justification") || after.justification !== null) return;
  if ((await tx.query(selectRequestTemplateUsing, [id])).length > 0) problem("justification", "can't be blank");
}

export const workflowTemplateRules = rulesFor(workflowTemplate, {
  conditions: {
    "has this task template": (_by, here) => ({
      key: "has task template",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT workflow_template_id FROM task_template_relations WHERE task_template_id = ${next()})`,
      values: [here ?? null],
    }),
  },
  beforeSave: steps(settleNextOccurrence, checkFieldsOfRecurrence, checkJustification),
});

// The impact of a workflow template is the highest of its task templates.
const buildUpdateImpact = (condition: string) =>
  statement(
    `UPDATE workflow_templates w SET impact = coalesce((
  SELECT t.impact FROM task_template_relations r JOIN task_templates t ON t.id = r.task_template_id
  WHERE r.workflow_template_id = w.id AND t.impact IS NOT NULL
  ORDER BY array_position($2::text[], t.impact) DESC LIMIT 1), 'none')
WHERE ${condition}`,
  );
const impactRanks = enumerations["task.impact"];
const updateImpactOfTemplate = buildUpdateImpact("w.id = $1");
const updateImpactOfTemplatesUsing = buildUpdateImpact(
  "w.id IN (SELECT workflow_template_id FROM task_template_relations WHERE task_template_id = $1)",
);

export const taskTemplateRules = rulesFor(taskTemplate, {
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
});

const isAfter = createIsAfter("task_template_relation_predecessor_ids", "task_template_relation");
const selectRelationOfOtherTemplate = statement(
  `SELECT 1 FROM unnest($1::integer[]) AS wanted (id)
WHERE NOT EXISTS (SELECT 1 FROM task_template_relations r WHERE r.id = wanted.id AND r.workflow_template_id = $2) LIMIT 1`,
);
const lockTemplate = statement("SELECT 1 FROM workflow_templates WHERE id = $1 FOR NO KEY UPDATE");
const selectPhaseByName = statement(
  "SELECT 1 FROM workflow_template_phases WHERE workflow_template_id = $1 AND name = $2",
);

type RelationChange = Change<typeof taskTemplateRelation>;

async function checkPhaseName({ tx, after, changed, problem }: RelationChange): Promise<void> {
  if (!changed.has("phase_name") || after.phase_name === null) return;
  if ((await tx.query(selectPhaseByName, [after.workflow_template, after.phase_name])).length === 0)
    problem("phase_name", "is not valid");
}

async function checkPredecessors({ tx, id, account, after, changed, problem }: RelationChange): Promise<void> {
  if (!changed.has("predecessor_ids")) return;
  const predecessors = after.predecessor_ids ?? [];
  await tx.query(lockTemplate, [after.workflow_template]);
  const foreign = await tx.query(selectRelationOfOtherTemplate, [predecessors, after.workflow_template]);
  if (foreign.length > 0 || (await isAfter(tx, account, predecessors, [id])))
    problem("predecessor_ids", "is not valid");
}

export const taskTemplateRelationRules = rulesFor(taskTemplateRelation, {
  beforeSave: steps(checkPhaseName, checkPredecessors),
  afterSave({ tx, after }) {
    tx.send(updateImpactOfTemplate, [after.workflow_template, impactRanks]);
  },
  afterDelete({ tx, values }) {
    tx.send(updateImpactOfTemplate, [values.workflow_template, impactRanks]);
  },
});
