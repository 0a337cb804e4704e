import { stampOf } from "../base/clock.ts";
import { Forbidden, type Problem } from "../base/errors.ts";
import { quoted } from "../storage/schema/model.ts";
import { mayCreate } from "./access.ts";
import { announce, eventsOf } from "./announce.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { inherit } from "./inherit.ts";
import { type Body, defaultOf, readInput } from "./input.ts";
import type { Value } from "./kinds/kind.ts";
import type { Change, Values } from "./rules.ts";
import { asProblem, sameValue, settle, shownAfter, storeReferences, toSql } from "./save.ts";
import type { Type } from "./types.ts";

export type Saved = { id: number; json: string; ignored: readonly string[] };

/** A record made below another one: the values that come from the path, the account of the owner, its rights. */
export type Below = { fixed: Values; account: string };

/** Creates a record in the account of the call, or below an owner, whose rights were checked before. */
export async function create(engine: Engine, by: Caller, type: Type, body: Body, below?: Below): Promise<Saved> {
  if (below === undefined && !mayCreate(type, by)) throw new Forbidden();
  const account = below?.account ?? by.account;
  const input = readInput(type, body, by, "create");
  const given = { ...input.values, ...below?.fixed };
  try {
    return await engine.database.transaction(async (tx) => {
      const after: Values = {};
      for (const [name, field] of Object.entries(type.fields)) {
        const value = given[name];
        after[name] = value === undefined || value === null ? (defaultOf(field, by) ?? null) : value;
      }
      if ("source" in type.fields && after.source == null) after.source = by.source;
      const now = stampOf(by.now);
      after.created_at = now;
      after.updated_at = now;

      await inherit(engine, tx, by, type, after);
      const problems: Problem[] = [...input.problems];
      const sequence = tx.query(
        engine.statements.get(`${type.name}#id`, () => `SELECT nextval('${quoted(`${type.collection}_id_seq`)}')`),
      );
      const changed = new Set(Object.keys(input.values).filter((name) => input.values[name] != null));
      const id = Number((await sequence)[0]?.[0]);
      const change: Change = {
        tx,
        by,
        id,
        before: null,
        after,
        changed,
        problem: (...problem) => problems.push(problem),
      };
      await settle(engine, type, change, input, problems);

      const columns = [...type.columns].filter(([name]) => name !== "id");
      const insert = engine.statements.get(`${type.name}#insert`, () => {
        const names = ["id", "account_id", ...columns.map(([, column]) => quoted(column))];
        return `INSERT INTO ${type.table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`;
      });
      tx.send(insert, [
        id,
        account,
        ...columns.map(([name]) => toSql(type.fields[name] as NonNullable<(typeof type.fields)[string]>, after[name])),
      ]);
      storeReferences(engine, tx, type, id, account, null, after);
      await engine.rules.of(type.name).saved?.(change);
      const changes = changesOf(type, null, after);
      await announce(engine, tx, by, {
        type,
        id,
        account,
        action: "create",
        changes,
        before: null,
        after,
        events: eventsOf(type, "create", changed),
      });
      return { id, json: await shownAfter(engine, tx, by, type, id), ignored: input.ignored };
    }, by.zone);
  } catch (error) {
    throw asProblem(type, error);
  }
}

/** Old and new values of what changed, by field, references by id, as the audit trail keeps them. */
export function changesOf(type: Type, before: Values | null, after: Values): Record<string, readonly [Value, Value]> {
  const changes: Record<string, readonly [Value, Value]> = {};
  for (const [name, field] of Object.entries(type.fields)) {
    if (
      name === "id" ||
      name === "created_at" ||
      name === "updated_at" ||
      field.internal ||
      field.passing ||
      field.access === "writeonly"
    )
      continue;
    const [old, now] = [before?.[name] ?? null, after[name] ?? null];
    if (!sameValue(field, old, now))
      changes[name] = field.kind === "decimal" ? [asNumber(old), asNumber(now)] : [old, now];
  }
  return changes;
}

const asNumber = (value: Value): Value => (value === null ? null : Number(value));
