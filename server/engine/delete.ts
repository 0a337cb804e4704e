import { toTimestamp } from "../base/clock.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import { prepareChange } from "./change.ts";
import type { Engine } from "./engine.ts";
import type { RowScope } from "./list.ts";
import { pickEvents, publish } from "./publish.ts";
import type { Type } from "./types.ts";
import { lockForChange } from "./update.ts";
import { deleteAttachments } from "./write/attachments.ts";
import { diffValues, translateDatabaseError, writeChangedColumns } from "./write/save.ts";

/** Deletes a record for good, or marks it as deleted. Its attachments go with it, its audit trail stays. */
export async function deleteRecord(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  scope?: RowScope,
): Promise<void> {
  try {
    await engine.database.transaction((tx) => deleteInTransaction(engine, tx, by, type, id, scope));
  } catch (error) {
    throw translateDeleteError(type, error);
  }
}

/** Deletes all records of a scope, or none; answers how many there were. */
export async function deleteAllRecords(engine: Engine, by: Caller, type: Type, scope: RowScope): Promise<number> {
  try {
    return await engine.database.transaction(async (tx) => {
      const all = engine.statements.get(`${type.name}#ids#${scope.clause.key}`, () => {
        let used = 0;
        return `SELECT a.id FROM ${type.table} a WHERE ${scope.clause.sql("a", () => `$${++used}`)} ORDER BY a.id`;
      });
      const rows = await tx.query(all, scope.clause.values);
      for (const [id] of rows)
        await deleteInTransaction(engine, tx, by, type, Number(id), scope, true).catch((error) => {
          if (!(error instanceof NotFound)) throw error; // somebody else was quicker
        });
      return rows.length;
    });
  } catch (error) {
    throw translateDeleteError(type, error);
  }
}

/** What others need stays. */
const translateDeleteError = (type: Type, error: unknown): unknown =>
  (error as { code?: string }).code === "23503"
    ? new Invalid([["base", "is still in use"]])
    : translateDatabaseError(type, error);

/** `all`: every record of its owner goes */
export async function deleteInTransaction(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  scope: RowScope | undefined,
  all = false,
): Promise<void> {
  const { account, values } = await lockForChange(engine, tx, by, type, id, "delete", { scope });
  const stays =
    typeof type.deletable === "object" && (type.deletable.once === undefined || values[type.deletable.once]);
  if (typeof type.deletable === "object" && stays) {
    const { marks } = type.deletable;
    if (values[marks] === true) return;
    writeChangedColumns(engine, tx, type, id, account, values, {
      ...values,
      [marks]: true,
      updated_at: toTimestamp(by.now),
    });
  } else {
    await deleteAttachments(tx, type, id, account, by.now);
    tx.send(statement(`DELETE FROM ${type.ownTable} WHERE id = $1 AND account_id = $2`), [id, account]);
  }
  const change = prepareChange(engine, tx, by, type, { id, account, before: values }, {});
  await engine.rules.forType(type.name).afterDelete?.({ tx, by, id, values, account, isWholeList: all, change });
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
