import { buildReadClause } from "./access.ts";
import type { Caller } from "./caller.ts";
import { createInTransaction } from "./create.ts";
import type { Engine } from "./engine.ts";
import type { Operation } from "./operation.ts";
import { value } from "./sql/query.ts";
import type { Type } from "./types.ts";
import { translateDatabaseError } from "./write/database-errors.ts";
import type { Body } from "./write/input.ts";
import { loadSavedRecord } from "./write/respond.ts";

// A save that is carried out in full, by the same code as any other, and rolled back. Nothing leaves the process before a
// commit, so nothing is published. D-222

/** Ends the transaction of a dry run: the outcome travels as an error, which rolls back. */
class DryRunOutcome<T> extends Error {
  readonly outcome: T;
  constructor(outcome: T) {
    super("dry run");
    this.outcome = outcome;
  }
}

/** Runs work in a transaction that is rolled back in any case, with an engine whose new records get temporary ids. */
export async function rollBackAfter<T>(
  engine: Engine,
  zone: string,
  work: (operation: Pick<Operation, "engine" | "tx">) => Promise<T>,
  pickFirstId = pickNegativeId,
): Promise<T> {
  try {
    await engine.database.transaction(async (tx) => {
      throw new DryRunOutcome(await work({ engine: withTemporaryIds(engine, pickFirstId()), tx }));
    }, zone);
  } catch (error) {
    if (error instanceof DryRunOutcome) return error.outcome as T;
    throw error;
  }
  throw new Error("a dry run was committed");
}

// Ids in ascending order, from a random one: two dry runs at the same time hardly ever use the same.
const pickNegativeId = () => -2_000_000_000 + Math.floor(Math.random() * 1_900_000_000);
/** For records that later ones of the same run refer to: a reference is never negative. */
export const pickHighId = () => 1_500_000_000 + Math.floor(Math.random() * 600_000_000);

function withTemporaryIds(engine: Engine, first: number): Engine {
  let id = first;
  return { ...engine, takeTemporaryId: () => id++ };
}

export type DryRunResult = { json: string; ignored: readonly string[] };

/** The record that a create would make, with the rows of the lists that its type names. */
export async function dryRunCreate(engine: Engine, by: Caller, type: Type, body: Body): Promise<DryRunResult> {
  try {
    return await rollBackAfter(engine, by.zone, async ({ engine: temporary, tx }) => {
      const operation = { engine: temporary, tx, by, type };
      const { id, account, ignored } = await createInTransaction(operation, body);
      const { json } = await loadSavedRecord(temporary, tx, by, type, { id, account });
      const lists: string[] = [];
      for (const name of type.routes.dryRun?.shows ?? [])
        lists.push(`"${name}":[${await loadListedRows(operation, id, name)}]`);
      return { json: `{${[dropIds(json), ...lists].join(",")}}`, ignored };
    });
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

/** The rows of a list that the caller may read, as members of a JSON list. */
async function loadListedRows({ engine, tx, by, type }: Operation, id: number, name: string): Promise<string> {
  const list = type.lists[name];
  if (list === undefined || !("by" in list)) throw new Error(`${type.name} has no list "${name}" by a reference`);
  const target = engine.types.get(list.of);
  const fields = target.detailFields.filter((field) => field !== list.by);
  const shape = engine.serializer.forFields(target, fields);
  const readable = buildReadClause(target, by, engine.rules);
  const query = engine.statements.prepare(
    `${target.name}#listed by ${list.by}`,
    { id: value(id), readable, rows: target.rows },
    (sql) =>
      `SELECT ${shape.columns.join(", ")} FROM ${sql.rows} ${shape.joins.join(" ")} WHERE a.${target.columns.get(list.by)} = ${sql.id} AND ${sql.readable} ORDER BY a.id`,
  );
  const rows = await tx.query(query.statement, query.values);
  return rows.map((row) => `{${dropIds(shape.write(row, 0, by))}}`).join(",");
}

/** The members of a record without the ids, which belong to nothing that stays. */
const dropIds = (json: string): string => json.replace(/^\{"id":-?\d+,"nodeID":"[^"]*",?/, "").slice(0, -1);
