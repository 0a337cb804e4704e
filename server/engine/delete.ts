import { toTimestamp } from "../base/clock.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { ofReachableAccounts } from "./access.ts";
import type { Caller } from "./caller.ts";
import { prepareChange } from "./change.ts";
import type { Engine } from "./engine.ts";
import type { RowScope } from "./list.ts";
import type { Operation } from "./operation.ts";
import { pickEvents, publish } from "./publish.ts";
import { allOf } from "./sql/clauses.ts";
import type { Type } from "./types.ts";
import { checkRevision } from "./update.ts";
import { deleteAttachments } from "./write/attachments.ts";
import { diffValues } from "./write/compare.ts";
import { translateDatabaseError } from "./write/database-errors.ts";
import { lockForChange } from "./write/lock.ts";
import { writeChangedColumns } from "./write/write-row.ts";

/** `revisions`: those that the deletion is meant for; `isWholeList`: all records of the parent are deleted, not this one alone */
type DeleteOptions = {
  scope?: RowScope | undefined;
  revisions?: ReadonlySet<number> | undefined;
  isWholeList?: boolean;
};

/** Deletes a record with its attachments, or marks it as deleted. Its audit trail stays. */
export async function deleteRecord(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  options: DeleteOptions = {},
): Promise<void> {
  try {
    await engine.database.transaction((tx) => deleteInTransaction({ engine, tx, by, type }, id, options), by.zone);
  } catch (error) {
    throw translateDeleteError(type, error);
  }
}

/** Deletes all records of a scope, or none; returns how many there were. */
export async function deleteAllRecords(engine: Engine, by: Caller, type: Type, scope: RowScope): Promise<number> {
  try {
    return await engine.database.transaction(async (tx) => {
      const query = engine.statements.prepare(
        `${type.name}#ids`,
        { where: type.placement === "account" ? allOf([scope.clause, ofReachableAccounts(by)]) : scope.clause },
        ({ where }) => `SELECT a.id FROM ${type.table} a WHERE ${where} ORDER BY a.id`,
      );
      const rows = await tx.query(query.statement, query.values);
      for (const [id] of rows)
        await deleteInTransaction({ engine, tx, by, type }, Number(id), { scope, isWholeList: true }).catch((error) => {
          if (!(error instanceof NotFound)) throw error; // a concurrent request has deleted it
        });
      return rows.length;
    });
  } catch (error) {
    throw translateDeleteError(type, error);
  }
}

const translateDeleteError = (type: Type, error: unknown): unknown =>
  (error as { code?: string }).code === "23503"
    ? new Invalid([["base", "is still in use"]])
    : translateDatabaseError(type, error);

export async function deleteInTransaction(
  operation: Operation,
  id: number,
  { scope, revisions, isWholeList = false }: DeleteOptions,
): Promise<void> {
  const { engine, tx, by, type } = operation;
  const { account, values, revision } = await lockForChange(operation, id, "delete", { scope });
  await checkRevision({ ...operation, id, account }, revision, revisions);
  const { deletable } = type.deletion;
  if (typeof deletable === "object" && (deletable.once === undefined || values[deletable.once])) {
    if (values[deletable.marks] === true) return;
    const marked = { ...values, [deletable.marks]: true, updated_at: toTimestamp(by.now) };
    writeChangedColumns({ ...operation, id, account }, values, marked);
  } else {
    await deleteAttachments(tx, type, id, account, by.now);
    for (const { table, column, accountColumn } of type.referencesToEmpty)
      tx.send(statement(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = $1 AND ${accountColumn} = $2`), [
        id,
        account,
      ]);
    tx.send(statement(`DELETE FROM ${type.ownTable} WHERE id = $1 AND account_id = $2`), [id, account]);
  }
  const change = prepareChange(operation, { id, account, before: values }, {});
  await engine.rules.forType(type.name).afterDelete?.({ tx, by, id, values, account, isWholeList, change });
  const changes = Object.fromEntries(
    Object.entries(diffValues(type, null, values)).map(([name, [, old]]) => [name, [old, null] as const]),
  );
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account,
      action: "destroy",
      changes,
      before: values,
      after: null,
      events: pickEvents(type, "destroy", new Set()),
    }),
  );
}
