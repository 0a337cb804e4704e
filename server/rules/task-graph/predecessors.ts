import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import { Invalid } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Change, LinkContext } from "../../engine/rules.ts";
import { getNumberOrNull } from "../shared/get-number.ts";

// The order of the tasks of a workflow or a project: PS1 to PS14. In a table of predecessors, `other_…_id` is the
// predecessor.

type TaskChange = Change<typeof task | typeof projectTask>;
const linkNames = ["predecessors", "successors"] as const;
type LinkName = (typeof linkNames)[number];

/** Whether one of the records `from` is among `to`, or comes after one of them. */
export function createIsAfter(table: string, type: string) {
  const selectReachable = statement(
    `WITH RECURSIVE earlier AS (
  SELECT unnest($1::integer[]) AS id
  UNION SELECT p.other_${type}_id FROM ${table} p JOIN earlier ON p.${type}_id = earlier.id AND p.account_id = $3
) SELECT 1 FROM earlier WHERE id = ANY ($2::integer[]) LIMIT 1`,
  );
  type Tasks = readonly number[];
  return async (tx: Transaction, account: string, from: Tasks, to: Tasks): Promise<boolean> =>
    from.length > 0 && to.length > 0 && (await tx.query(selectReachable, [from, to, account])).length > 0;
}

export function createPredecessorRules(
  type: "task" | "project_task",
  container: "workflow" | "project",
  afterReorder: (change: Change, id: number) => Promise<void>,
) {
  const table = `${type}_predecessors`;
  const [taskColumn, predecessorColumn] = [`${type}_id`, `other_${type}_id`];
  const foreignTaskMessage = `must be linked to the same ${container}`;
  const isAfter = createIsAfter(table, type);
  // Without the lock, two links that are added at the same moment could close a cycle that neither transaction sees.
  const lockContainer = statement(`SELECT 1 FROM ${container}s WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`);
  const selectForeignTask = statement(
    `SELECT 1 FROM unnest($1::integer[]) AS wanted (id)
WHERE NOT EXISTS (SELECT 1 FROM ${type}s t WHERE t.id = wanted.id AND t.${container}_id = $2 AND t.account_id = $3) LIMIT 1`,
  );
  const buildStatements = (ownColumn: string, otherColumn: string) => ({
    selectOthers: statement(`SELECT ${otherColumn} FROM ${table} WHERE ${ownColumn} = $1 AND account_id = $2`),
    insert: statement(
      `INSERT INTO ${table} (account_id, ${ownColumn}, ${otherColumn}) SELECT $3, id, unnest($2::integer[]) FROM ${type}s WHERE id = $1 AND account_id = $3`,
    ),
  });
  const statements = {
    predecessors: buildStatements(taskColumn, predecessorColumn),
    successors: buildStatements(predecessorColumn, taskColumn),
  };
  const hasForeignTask = async (
    { tx, account }: Pick<Change, "tx" | "account">,
    ids: readonly number[],
    containerId: number,
  ): Promise<boolean> => (await tx.query(selectForeignTask, [ids, containerId, account])).length > 0;

  const checkLinks = (name: LinkName) => async (link: LinkContext) => {
    const { tx, id, values, account, change } = link;
    const containerId = getNumberOrNull(values, container);
    if (containerId === null) return;
    await tx.query(lockContainer, [containerId, account]);
    const others = (await tx.query(statements[name].selectOthers, [id, account])).map((row) => Number(row[0]));
    if (await hasForeignTask(link, others, containerId)) throw new Invalid([[name, foreignTaskMessage]]);
    const [from, to] = name === "predecessors" ? [others, [id]] : [[id], others];
    if (await isAfter(tx, account, from, to)) throw new Invalid([["predecessors", "is not valid"]]);
    await afterReorder(change, containerId);
  };

  return {
    /** Checks the predecessors and successors that a new task is created with. */
    async beforeSave(change: TaskChange): Promise<void> {
      const { tx, account, before, after, problem } = change;
      const [predecessors, successors] = [after.predecessors ?? [], after.successors ?? []];
      const containerId = getNumberOrNull(after, container);
      if (before !== null || predecessors.length + successors.length === 0 || containerId === null) return;
      await tx.query(lockContainer, [containerId, account]);
      for (const name of linkNames)
        if (await hasForeignTask(change, after[name] ?? [], containerId)) problem(name, foreignTaskMessage);
      if (await isAfter(tx, account, predecessors, successors)) problem("predecessors", "is not valid");
    },
    afterSave({ tx, account, id, before, after }: TaskChange): void {
      if (before !== null) return;
      for (const name of linkNames) {
        const ids = after[name] ?? [];
        if (ids.length > 0) tx.send(statements[name].insert, [id, ids, account]);
      }
    },
    afterLinkChange: { predecessors: checkLinks("predecessors"), successors: checkLinks("successors") },
  };
}
