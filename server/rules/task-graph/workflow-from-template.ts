import type { workflow } from "../../../records/work/workflow.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseBoolean, parseIds, parseNumberOrNull } from "../../database/rows.ts";
import type { Change } from "../../engine/rules.ts";

// The phases and tasks that a workflow gets from its template: WF1.

const selectPhasesOfTemplate = statement(
  "SELECT name, position FROM workflow_template_phases WHERE workflow_template_id = $1 ORDER BY position, id",
);
const selectRelationsOfTemplate = statement(
  `SELECT r.id, r.task_template_id, r.phase_name, r.failure_task_template_id,
  (SELECT json_agg(p.other_task_template_relation_id) FROM task_template_relation_predecessor_ids p WHERE p.task_template_relation_id = r.id),
  t.disabled OR t.category = 'fulfillment_placeholder'
FROM task_template_relations r JOIN task_templates t ON t.id = r.task_template_id
WHERE r.workflow_template_id = $1 ORDER BY r.id`,
);
const countRelationsOfTemplate = statement(
  "SELECT count(*) FROM task_template_relations WHERE workflow_template_id = $1",
);
const linkPredecessors = statement(
  "INSERT INTO task_predecessors (account_id, task_id, other_task_id) SELECT $1, $2, unnest($3::integer[])",
);
const linkCisAndServiceInstances = ["ci", "service_instance"].map((kind) =>
  statement(
    `INSERT INTO task_${kind}s (account_id, task_id, ${kind}_id) SELECT $1, $2, ${kind}_id FROM task_template_${kind}s WHERE task_template_id = $3`,
  ),
);

const linkRecurringCi = [
  `INSERT INTO task_cis (account_id, task_id, ci_id) SELECT $1, t.id, $3 FROM tasks t
WHERE t.workflow_id = $2 AND t.account_id = $1 AND t.category = 'implementation' ON CONFLICT DO NOTHING`,
  `INSERT INTO task_service_instances (account_id, task_id, service_instance_id) SELECT $1, t.id, l.service_instance_id
FROM tasks t JOIN service_instance_cis l ON l.ci_id = $3 WHERE t.workflow_id = $2 AND t.account_id = $1 AND t.category = 'implementation' ON CONFLICT DO NOTHING`,
].map(statement);

/** Links the implementation tasks of a workflow to the configuration item it was created for, and to its instances. */
export function linkCiToTasks(tx: Transaction, account: string, workflow: number, ci: number): void {
  for (const link of linkRecurringCi) tx.send(link, [account, workflow, ci]);
}

/** a job creates the tasks of larger templates, after the response */
const maximumTasksInline = 100;

/** How a template uses a task template. `isSkipped`: it becomes no task. */
type Relation = {
  id: number;
  template: number;
  phase: string | null;
  failureTemplate: number | null;
  predecessors: readonly number[];
  isSkipped: boolean;
};

type WorkflowChange = Change<typeof workflow>;

export const isLargeTemplate = async ({ tx, after }: WorkflowChange): Promise<boolean> =>
  Number((await tx.query(countRelationsOfTemplate, [after.template]))[0]?.[0] ?? 0) > maximumTasksInline;

/** The successors of a skipped relation come after the predecessors of that one. */
function collectPredecessors(relation: Relation, all: ReadonlyMap<number, Relation>): number[] {
  const found = relation.predecessors.flatMap((id) => {
    const earlier = all.get(id);
    if (earlier === undefined) return [];
    return earlier.isSkipped ? collectPredecessors(earlier, all) : [id];
  });
  return [...new Set(found)];
}

const loadRelations = async (tx: Transaction, template: number): Promise<Relation[]> =>
  (await tx.query(selectRelationsOfTemplate, [template])).map(
    ([id, taskTemplate, phase, failureTemplate, predecessors, isSkipped]) => ({
      id: Number(id),
      template: Number(taskTemplate),
      phase: phase ?? null,
      failureTemplate: parseNumberOrNull(failureTemplate),
      predecessors: parseIds(predecessors),
      isSkipped: parseBoolean(isSkipped),
    }),
  );

/** Returns the ids of the phases by their names. */
async function createPhases({ tx, id, after, create }: WorkflowChange): Promise<ReadonlyMap<string, number>> {
  const phases = new Map<string, number>();
  for (const [name, position] of await tx.query(selectPhasesOfTemplate, [after.template])) {
    const values = { workflow: id, name: String(name), position: parseNumberOrNull(position) };
    phases.set(values.name, await create("workflow_phase", values));
  }
  return phases;
}

/** Returns the ids of the tasks by their relations. */
async function createTasks(
  { tx, id: workflow, account, create }: WorkflowChange,
  relations: readonly Relation[],
  phases: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, number>> {
  const tasks = new Map<number, number>();
  for (const relation of relations) {
    if (relation.isSkipped) continue;
    const phase = relation.phase === null ? null : (phases.get(relation.phase) ?? null);
    const task = await create("task", { workflow, template: relation.template, phase });
    tasks.set(relation.id, task);
    for (const link of linkCisAndServiceInstances) tx.send(link, [account, task, relation.template]);
  }
  return tasks;
}

export async function applyWorkflowTemplate(change: WorkflowChange): Promise<void> {
  const { tx, account, after, update } = change;
  const phases = await createPhases(change);
  const relations = await loadRelations(tx, after.template);
  const tasks = await createTasks(change, relations, phases);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  for (const relation of relations) {
    const task = tasks.get(relation.id);
    if (task === undefined) continue;
    const predecessors = collectPredecessors(relation, byId).flatMap((id) => tasks.get(id) ?? []);
    if (predecessors.length > 0) tx.send(linkPredecessors, [account, task, predecessors]);
    const failureRelation = relations.find(
      (other) => other.template === relation.failureTemplate && other.id !== relation.id && tasks.has(other.id),
    );
    if (failureRelation !== undefined)
      await update("task", task, { failure_task: tasks.get(failureRelation.id) ?? null });
  }
}
