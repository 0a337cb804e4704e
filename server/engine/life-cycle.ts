import type { Field } from "../../records/vocabulary/index.ts";
import { stampOf } from "../base/clock.ts";
import { Invalid } from "../base/errors.ts";
import { addJob, dropJob } from "../queue/jobs.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { sideTable } from "../storage/schema/derive.ts";
import { announce } from "./announce.ts";
import { dropAttachments } from "./attachments.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { changesOf, shownAfter, store } from "./save.ts";
import type { Type } from "./types.ts";
import { rowForChange } from "./update.ts";

// Archive, trash and restore: reference, lifecycles.md section 23.

export type Move = "archive" | "trash" | "restore";
const states: Record<Move, "archived" | "trashed" | "active"> = {
  archive: "archived",
  trash: "trashed",
  restore: "active",
};
const daysInTrash = 28;

const enter = (state: "archived" | "trashed") => {
  const table = state === "archived" ? "archive" : "trash";
  return statement(
    `INSERT INTO ${table} (account_id, ${state}, record_id, ${state}_by_id, created_at) VALUES ($1, $2, $3, $4, $5)`,
  );
};
const leaveArchive = statement("DELETE FROM archive WHERE account_id = $1 AND archived = $2 AND record_id = $3");
const leaveTrash = statement("DELETE FROM trash WHERE account_id = $1 AND trashed = $2 AND record_id = $3");

/** Moves a record to the archive or the trash, or back; answers the record as JSON. */
export async function moveInLifeCycle(engine: Engine, by: Caller, type: Type, id: number, move: Move): Promise<string> {
  const state = states[move];
  return engine.database.transaction(async (tx) => {
    const { account, life, values } = await rowForChange(engine, tx, by, type, id, "archive");
    if (life === "active" && move === "restore") throw new Invalid([["base", "is not archived or trashed"]]);
    const needs = type.archivable?.when;
    if (life === "active" && needs !== undefined && !needs.is.includes(values[needs.field] as string | boolean))
      throw new Invalid([[needs.field, needs.message]]);
    if (life !== state) {
      const after = move === "restore" ? { ...values, ...engine.rules.of(type.name).restored?.(values) } : values;
      store(engine, tx, type, id, account, values, after);
      tx.send(statement(`UPDATE ${type.table} SET life_cycle = $3 WHERE id = $1 AND account_id = $2`), [
        id,
        account,
        state,
      ]);
      tx.send(leaveArchive, [account, type.name, id]);
      tx.send(leaveTrash, [account, type.name, id]);
      if (state !== "active") tx.send(enter(state), [account, type.name, id, by.person, stampOf(by.now)]);
      const key = `${type.name} ${id}`;
      if (state === "trashed")
        addJob(tx, {
          kind: "erase",
          key,
          account,
          payload: { type: type.name, id, account },
          runAt: new Date(by.now.getTime() + daysInTrash * 86_400_000),
        });
      else dropJob(tx, "erase", key);
      await announce(engine, tx, by, {
        type,
        id,
        account,
        action: "update",
        changes: { ...changesOf(type, values, after), life_cycle: [life, state] },
        before: values,
        after,
        events: updateOf(type),
      });
      await followInLifeCycle(engine, tx, by, type, id, account, [life, state]);
    }
    return shownAfter(engine, tx, by, type, id);
  }, by.zone);
}

const updateOf = (type: Type): string[] => (type.events.includes("update") ? [`${type.name}.update`] : []);

/** The types whose records share the fate of this one, and the columns that say of which. */
const followersOf = (engine: Engine, type: Type): { follower: Type; column: string }[] =>
  engine.types.all.flatMap((follower) => {
    const name = follower.archivable?.with;
    const field = name === undefined ? undefined : follower.fields[name];
    const column = name === undefined ? undefined : follower.columns.get(name);
    return field?.kind === "reference" && field.to === type.name && column !== undefined ? [{ follower, column }] : [];
  });

/** The tasks of a workflow go where it goes. */
async function followInLifeCycle(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  account: string,
  move: readonly [from: string, to: string],
): Promise<void> {
  for (const { follower, column } of followersOf(engine, type)) {
    const rows = await tx.query(
      statement(`UPDATE ${follower.table} SET life_cycle = $2 WHERE "${column}" = $1 RETURNING id`),
      [id, move[1]],
    );
    for (const [each] of rows)
      await announce(engine, tx, by, {
        type: follower,
        id: Number(each),
        account,
        action: "update",
        changes: { life_cycle: move },
        before: null,
        after: null,
        events: updateOf(follower),
      });
  }
}

const mayPointTo = (field: Field, type: string): boolean =>
  (field.kind === "reference" && (field.to === type || field.or === type)) ||
  (field.kind === "code" && field.to === type);

/** What the trash job does when the 28 days are over. A record restored meanwhile is left alone. */
export async function erase(engine: Engine, payload: { type: string; id: number; account: string }): Promise<void> {
  const type = engine.types.named(payload.type);
  await engine.database.transaction(async (tx) => {
    const rows = await tx.query(
      statement(`SELECT 1 FROM ${type.table} WHERE id = $1 AND account_id = $2 AND life_cycle = 'trashed' FOR UPDATE`),
      [payload.id, payload.account],
    );
    if (rows.length === 0) return;
    await eraseWithin(engine, tx, type, payload.id, payload.account);
  });
}

async function eraseWithin(engine: Engine, tx: Transaction, type: Type, id: number, account: string): Promise<void> {
  for (const { follower, column } of followersOf(engine, type)) {
    const rows = await tx.query(statement(`SELECT id FROM ${follower.table} WHERE "${column}" = $1 ORDER BY id`), [id]);
    for (const [each] of rows) await eraseWithin(engine, tx, follower, Number(each), account);
  }
  await engine.rules.of(type.name).erased?.(tx, id);
  tx.send(leaveTrash, [account, type.name, id]);
  await dropAttachments(tx, type, id, account, engine.clock.now());
  // Records that still refer to it lose the reference; the row itself and its traces of a person go.
  for (const other of engine.types.all)
    for (const [name, field] of Object.entries(other.fields)) {
      const column = other.columns.get(name);
      if (
        !mayPointTo(field, type.name) ||
        column === undefined ||
        field.access === "required" ||
        other.ownedBy.includes(name)
      )
        continue;
      for (const table of other.perAccount.includes(name) ? [other.ownTable, sideTable(other)] : [other.ownTable])
        tx.send(statement(`UPDATE ${table} SET "${column}" = NULL WHERE "${column}" = $1`), [id]);
    }
  tx.send(statement(`DELETE FROM ${type.ownTable} a WHERE id = $1 AND account_id = $2`), [id, account]);
  tx.send(
    statement(
      'INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_at) VALUES ($1, \'destroy\', $2, $3, \'{"life_cycle": ["trashed", "erased"]}\', $4)',
    ),
    [account, type.name, id, stampOf(engine.clock.now())],
  );
}
