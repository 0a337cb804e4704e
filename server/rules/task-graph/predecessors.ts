import { Invalid } from "../../base/errors.ts";
import type { Change, LinkContext, TypeRules } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";

// What comes before what: tasks of a workflow, tasks of a project. PS1 to PS14. In the table of predecessors a row says
// that the second task comes before the first.

type PredecessorRules = {
  /** part of `check`: the tasks a new one is put between */
  beforeSave(change: Change): Promise<void>;
  /** part of `saved` */
  afterSave(change: Change): void;
  linked: NonNullable<TypeRules["afterLinkChange"]>;
};

const toIds = (value: unknown): readonly number[] => (value ?? []) as readonly number[];

/** Whether one of the first records comes after one of the second, or is one of them. */
export function createIsAfter(table: string, type: string) {
  const reachable = statement(
    `WITH RECURSIVE earlier AS (
  SELECT unnest($1::integer[]) AS id
  UNION SELECT p.other_${type}_id FROM ${table} p JOIN earlier ON p.${type}_id = earlier.id
) SELECT 1 FROM earlier WHERE id = ANY ($2::integer[]) LIMIT 1`,
  );
  return async (tx: Transaction, from: readonly number[], to: readonly number[]): Promise<boolean> =>
    from.length > 0 && to.length > 0 && (await tx.query(reachable, [from, to])).length > 0;
}

/** `reordered`: what follows from another order of the tasks of that workflow or project. */
export function createPredecessorRules(
  type: "task" | "project_task",
  container: "workflow" | "project",
  reordered: (change: Change, id: number) => Promise<void>,
): PredecessorRules {
  const table = `${type}_predecessors`;
  const [here, there] = [`${type}_id`, `other_${type}_id`];
  const elsewhere = `must be linked to the same ${container}`;
  const isAfter = createIsAfter(table, type);
  // Two people who link at the same moment could close a circle that neither of them sees: they take turns.
  const takeTurns = statement(`SELECT 1 FROM ${container}s WHERE id = $1 FOR NO KEY UPDATE`);
  const strangers = statement(
    `SELECT 1 FROM unnest($1::integer[]) AS wanted (id)
WHERE NOT EXISTS (SELECT 1 FROM ${type}s t WHERE t.id = wanted.id AND t.${container}_id = $2) LIMIT 1`,
  );
  const neighbours = (mine: string, theirs: string) => statement(`SELECT ${theirs} FROM ${table} WHERE ${mine} = $1`);
  const insert = (mine: string, theirs: string) =>
    statement(
      `INSERT INTO ${table} (account_id, ${mine}, ${theirs}) SELECT account_id, id, unnest($2::integer[]) FROM ${type}s WHERE id = $1`,
    );
  const ends = {
    predecessors: { neighbours: neighbours(here, there), insert: insert(here, there) },
    successors: { neighbours: neighbours(there, here), insert: insert(there, here) },
  };

  const linked = (name: keyof typeof ends) => async (link: LinkContext) => {
    const parent = link.values[container] as number;
    await link.tx.query(takeTurns, [parent]);
    const others = (await link.tx.query(ends[name].neighbours, [link.id])).map((row) => Number(row[0]));
    if ((await link.tx.query(strangers, [others, parent])).length > 0) throw new Invalid([[name, elsewhere]]);
    const [later, earlier] = name === "predecessors" ? [others, [link.id]] : [[link.id], others];
    if (await isAfter(link.tx, later, earlier)) throw new Invalid([["predecessors", "is not valid"]]);
    await reordered(link.change, parent);
  };

  return {
    async beforeSave({ tx, before, after, problem }) {
      const [earlier, later] = [toIds(after.predecessors), toIds(after.successors)];
      if (before !== null || earlier.length + later.length === 0 || typeof after[container] !== "number") return;
      await tx.query(takeTurns, [after[container]]);
      for (const name of ["predecessors", "successors"] as const)
        if ((await tx.query(strangers, [toIds(after[name]), after[container]])).length > 0) problem(name, elsewhere);
      if (await isAfter(tx, earlier, later)) problem("predecessors", "is not valid");
    },
    afterSave({ tx, id, before, after }) {
      if (before !== null) return;
      for (const name of ["predecessors", "successors"] as const)
        if (toIds(after[name]).length > 0) tx.send(ends[name].insert, [id, toIds(after[name])]);
    },
    linked: { predecessors: linked("predecessors"), successors: linked("successors") },
  };
}
