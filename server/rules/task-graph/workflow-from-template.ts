import type { Change } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";

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
WHERE t.workflow_id = $2 AND t.category = 'implementation' ON CONFLICT DO NOTHING`,
  `INSERT INTO task_service_instances (account_id, task_id, service_instance_id) SELECT $1, t.id, l.service_instance_id
FROM tasks t JOIN service_instance_cis l ON l.ci_id = $3 WHERE t.workflow_id = $2 AND t.category = 'implementation' ON CONFLICT DO NOTHING`,
].map(statement);

/** The item that a workflow takes care of belongs to what is done there, and so do the instances it is part of. */
export function linkCiToTasks(tx: Transaction, account: string, workflow: number, ci: number): void {
  for (const link of linkRecurringCi) tx.send(link, [account, workflow, ci]);
}

/** more than these are made by a job, after the answer */
const maximumTasksInline = 100;

type Relation = {
  id: number;
  template: number;
  phase: string | null;
  failure: number | null;
  predecessors: readonly number[];
  isLeftOut: boolean;
};

export const isLargeTemplate = async ({ tx, after }: Change): Promise<boolean> =>
  Number((await tx.query(countRelationsOfTemplate, [after.template as number]))[0]?.[0] ?? 0) > maximumTasksInline;

/** A relation that becomes no task: what comes after it comes after what is before it. */
function collectPredecessors(relation: Relation, all: ReadonlyMap<number, Relation>): number[] {
  const found = relation.predecessors.flatMap((id) => {
    const earlier = all.get(id);
    if (earlier === undefined) return [];
    return earlier.isLeftOut ? collectPredecessors(earlier, all) : [id];
  });
  return [...new Set(found)];
}

export async function applyWorkflowTemplate(change: Change): Promise<void> {
  const { tx, id: workflow, account, after, create, update } = change;
  const template = after.template as number;
  const phases = new Map<string, number>();
  for (const [name, position] of await tx.query(selectPhasesOfTemplate, [template])) {
    const values = { workflow, name: String(name), position: position === null ? null : Number(position) };
    phases.set(values.name, await create("workflow_phase", values));
  }
  const relations = (await tx.query(selectRelationsOfTemplate, [template])).map(
    ([id, taskTemplate, phase, failure, predecessors, isLeftOut]): Relation => ({
      id: Number(id),
      template: Number(taskTemplate),
      phase: phase ?? null,
      failure: failure == null ? null : Number(failure),
      predecessors: JSON.parse(predecessors ?? "[]") as number[],
      isLeftOut: isLeftOut === "t",
    }),
  );
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const made = new Map<number, number>();
  for (const relation of relations) {
    if (relation.isLeftOut) continue;
    const phase = relation.phase === null ? null : (phases.get(relation.phase) ?? null);
    const task = await create("task", { workflow, template: relation.template, phase });
    made.set(relation.id, task);
    for (const link of linkCisAndServiceInstances) tx.send(link, [account, task, relation.template]);
  }
  for (const relation of relations) {
    const task = made.get(relation.id);
    if (task === undefined) continue;
    const before = collectPredecessors(relation, byId).map((id) => made.get(id) as number);
    if (before.length > 0) tx.send(linkPredecessors, [account, task, before]);
    const rescuer = relations.find(
      (other) => other.template === relation.failure && other.id !== relation.id && made.has(other.id),
    );
    if (rescuer !== undefined) await update("task", task, { failure_task: made.get(rescuer.id) as number });
  }
}
