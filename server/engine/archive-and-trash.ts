import { systemOrigin } from "../../records/journal/change-origins.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import { Invalid } from "../base/errors.ts";
import { statement, type Transaction } from "../database/database.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";
import { overlayTable } from "../schema/tables/table-names.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { FoundRecord } from "./find.ts";
import { getKind } from "./kinds/index.ts";
import { isReference } from "./kinds/reference.ts";
import type { RecordOperation } from "./operation.ts";
import { publish } from "./publish.ts";
import { incrementRevision } from "./schema/revision.ts";
import type { Type } from "./types.ts";
import { deleteAttachments } from "./write/attachments.ts";
import { diffValues } from "./write/compare.ts";
import { lockForChange } from "./write/lock.ts";
import { loadSavedRecord } from "./write/respond.ts";
import { writeChangedColumns } from "./write/write-row.ts";

// Archive, trash and restore: AR1 to AR11.

export type ArchiveAction = "archive" | "trash" | "restore";
type ArchiveState = "archived" | "trashed" | "active";
const stateAfter: Record<ArchiveAction, ArchiveState> = {
  archive: "archived",
  trash: "trashed",
  restore: "active",
};
const daysInTrash = 28;

const enterStatement = (state: "archived" | "trashed") => {
  const table = state === "archived" ? "archive" : "trash";
  return statement(
    `INSERT INTO ${table} (account_id, ${state}, record_id, ${state}_by_id, created_at) VALUES ($1, $2, $3, $4, $5)`,
  );
};
const leaveArchive = statement("DELETE FROM archive WHERE account_id = $1 AND archived = $2 AND record_id = $3");
const leaveTrash = statement("DELETE FROM trash WHERE account_id = $1 AND trashed = $2 AND record_id = $3");

/** Moves a record to the archive or the trash, or back; returns the record. */
export async function changeArchiveState(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  action: ArchiveAction,
): Promise<FoundRecord> {
  const to = stateAfter[action];
  return engine.database.transaction(async (tx) => {
    const operation = { engine, tx, by, type };
    const { account, lifeCycle: from, values } = await lockForChange(operation, id, "archive");
    if (from === "active" && action === "restore") throw new Invalid([["base", "is not archived or trashed"]]);
    const needs = type.deletion.archivable?.when;
    if (from === "active" && needs !== undefined && !needs.is.includes(values[needs.field] as string | boolean))
      throw new Invalid([[needs.field, needs.message]]);
    if (from !== to) {
      const row = { ...operation, id, account };
      const restored = action === "restore" ? engine.rules.forType(type.name).valuesOnRestore?.(values) : undefined;
      const after = restored === undefined ? values : { ...values, ...restored };
      writeChangedColumns(row, values, after);
      writeArchiveState(row, to);
      await publish(engine, tx, by, {
        type,
        id,
        account,
        action: "update",
        changes: { ...diffValues(type, values, after), life_cycle: [from, to] },
        before: values,
        after,
        events: pickUpdateEvents(type),
      });
      await archiveFollowers(row, from, to);
    }
    return loadSavedRecord(engine, tx, by, type, { id, account });
  }, by.zone);
}

/** Updates the state itself, the lists of archived and trashed records, and the job that purges the record. */
function writeArchiveState({ tx, by, type, id, account }: RecordOperation, state: ArchiveState): void {
  tx.send(
    statement(`UPDATE ${type.table} SET life_cycle = $3, ${incrementRevision} WHERE id = $1 AND account_id = $2`),
    [id, account, state],
  );
  tx.send(leaveArchive, [account, type.name, id]);
  tx.send(leaveTrash, [account, type.name, id]);
  if (state !== "active") tx.send(enterStatement(state), [account, type.name, id, by.person, toTimestamp(by.now)]);
  const key = `${type.name} ${id}`;
  if (state === "trashed")
    addJob(tx, {
      kind: "erase",
      key,
      account,
      payload: { type: type.name, id, account },
      runAt: new Date(by.now.getTime() + daysInTrash * 86_400_000),
    });
  else deleteJob(tx, "erase", key);
}

const pickUpdateEvents = (type: Type): string[] => (type.events.includes("update") ? [`${type.name}.update`] : []);

/** The types whose records are archived with this one, and the columns that refer to it. */
const findFollowerTypes = (engine: Engine, type: Type): { follower: Type; column: string }[] =>
  engine.types.all.flatMap((follower) => {
    const name = follower.deletion.archivable?.with;
    const field = name === undefined ? undefined : follower.fields[name];
    const column = name === undefined ? undefined : follower.columns.get(name);
    return isReference(field) && field.to === type.name && column !== undefined ? [{ follower, column }] : [];
  });

/** Records that follow this one, such as the tasks of a workflow, get the same state. */
async function archiveFollowers(
  { engine, tx, by, type, id, account }: RecordOperation,
  from: string,
  to: ArchiveState,
): Promise<void> {
  for (const { follower, column } of findFollowerTypes(engine, type)) {
    const rows = await tx.query(
      statement(
        `UPDATE ${follower.table} SET life_cycle = $2, ${incrementRevision} WHERE "${column}" = $1 AND account_id = $3 RETURNING id`,
      ),
      [id, to, account],
    );
    for (const [followerId] of rows)
      await publish(engine, tx, by, {
        type: follower,
        id: Number(followerId),
        account,
        action: "update",
        changes: { life_cycle: [from, to] },
        before: null,
        after: null,
        events: pickUpdateEvents(follower),
      });
  }
}

const mayReferTo = (field: Field, type: string): boolean => getKind(field).targets?.(field).includes(type) ?? false;

type EmptiedReferences = {
  tx: Transaction;
  table: string;
  column: string;
  ids: readonly number[];
  account: string | null;
};

/** Whether only records of the same account refer to it; others may refer to people, and to requests that they work on (D-661). */
const isReferredToWithin = ({ placement, sharing }: Type): boolean =>
  placement === "account" && sharing.perAccount.length === 0;

/** `account`: that of the records that refer to them; null: any. */
function emptyReferences({ tx, table, column, ids, account }: EmptiedReferences): void {
  const update = `UPDATE ${table} SET "${column}" = NULL WHERE "${column}" = ANY($1::integer[])`;
  if (account === null) tx.send(statement(update), [ids]);
  else tx.send(statement(`${update} AND account_id = $2`), [ids, account]);
}

/** Erases a record after its 28 days in the trash; a record that was restored meanwhile stays. */
export async function purge(engine: Engine, payload: { type: string; id: number; account: string }): Promise<void> {
  const type = engine.types.get(payload.type);
  await engine.database.transaction(async (tx) => {
    const rows = await tx.query(
      statement(`SELECT 1 FROM ${type.table} WHERE id = $1 AND account_id = $2 AND life_cycle = 'trashed' FOR UPDATE`),
      [payload.id, payload.account],
    );
    if (rows.length === 0) return;
    await purgeInTransaction(engine, tx, type, [payload.id], payload.account);
  });
}

/** Erases records of an account immediately, in any state: for records that were never real work. */
export const eraseRecords = (engine: Engine, type: Type, ids: readonly number[], account: string): Promise<void> =>
  engine.database.transaction((tx) => eraseInTransaction(engine, tx, type, ids, account));

export async function eraseInTransaction(
  engine: Engine,
  tx: Transaction,
  type: Type,
  ids: readonly number[],
  account: string,
): Promise<void> {
  const rows = await tx.query(
    statement(`SELECT id FROM ${type.table} WHERE id = ANY($1::integer[]) AND account_id = $2 ORDER BY id FOR UPDATE`),
    [ids, account],
  );
  const found = rows.map(([id]) => Number(id));
  if (found.length > 0) await purgeInTransaction(engine, tx, type, found, account);
}

async function purgeInTransaction(
  engine: Engine,
  tx: Transaction,
  type: Type,
  ids: readonly number[],
  account: string,
): Promise<void> {
  for (const { follower, column } of findFollowerTypes(engine, type)) {
    const rows = await tx.query(
      statement(
        `SELECT id FROM ${follower.table} WHERE "${column}" = ANY($1::integer[]) AND account_id = $2 ORDER BY id`,
      ),
      [ids, account],
    );
    const followers = rows.map(([id]) => Number(id));
    if (followers.length > 0) await purgeInTransaction(engine, tx, follower, followers, account);
  }
  for (const id of ids) {
    await engine.rules.forType(type.name).beforePurge?.(tx, id, account);
    tx.send(leaveTrash, [account, type.name, id]);
    await deleteAttachments(tx, type, id, account, engine.clock.now());
  }
  // Records that still refer to them lose the reference.
  for (const other of engine.types.all)
    for (const [name, field] of Object.entries(other.fields)) {
      const column = other.columns.get(name);
      if (
        !mayReferTo(field, type.name) ||
        column === undefined ||
        field.access === "required" ||
        other.ownedBy.includes(name)
      )
        continue;
      for (const table of other.sharing.perAccount.includes(name)
        ? [other.ownTable, overlayTable(other)]
        : [other.ownTable])
        emptyReferences({
          tx,
          table,
          column,
          ids,
          account: isReferredToWithin(type) ? account : null,
        });
    }
  tx.send(statement(`DELETE FROM ${type.ownTable} a WHERE id = ANY($1::integer[]) AND account_id = $2`), [
    ids,
    account,
  ]);
  tx.send(
    statement(
      `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_at, origin)
SELECT $1::text, 'destroy', $2::text, id, '{"life_cycle": ["trashed", "erased"]}'::jsonb, $4::timestamptz, '${JSON.stringify(systemOrigin)}'::jsonb FROM unnest($3::integer[]) AS id`,
    ),
    [account, type.name, ids, toTimestamp(engine.clock.now())],
  );
}
