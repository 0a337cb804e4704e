import { stampOf } from "../base/clock.ts";
import { Forbidden, NotFound, type Problem } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";
import { isAdministrator, limitedFields, type Operation, rowsFor } from "./access.ts";
import { announce, eventsOf } from "./announce.ts";
import type { Caller } from "./caller.ts";
import { allOf, always, never } from "./clauses.ts";
import { changesOf, type Saved } from "./create.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, withinReach } from "./find.ts";
import { type Body, readInput } from "./input.ts";
import type { Scope } from "./list.ts";
import type { Change, Values } from "./rules.ts";
import {
  asProblem,
  readRow,
  sameValue,
  settle,
  shownAfter,
  storedColumn,
  storedFields,
  storeReferences,
  toSql,
} from "./save.ts";
import type { Type } from "./types.ts";

export type Locked = {
  account: string;
  life: string;
  values: Values;
  /** set when the caller may change these fields of the row and no others */
  onlyFields: ReadonlySet<string> | null;
};

/** The row to be changed, locked until the end of the transaction. 403 and 404 come from here and nowhere else. */
export async function rowForChange(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  operation: Operation,
  options: { scope?: Scope | undefined; someFields?: ReadonlySet<string> | null } = {},
): Promise<Locked> {
  const { scope, someFields = null } = options;
  const reach =
    scope === undefined
      ? withinReach(type, by, engine.rules)
      : allOf([withinReach(type, by, engine.rules), scope.clause]);
  // A child is changed by whoever may change its parent, which was asked before.
  const whole = scope?.rights === "of the parent" ? always : rowsFor(type, operation, by, engine.rules);
  const partly = someFields === null ? never : rowsFor(type, operation, by, engine.rules, () => true);
  const built = engine.statements.get(`${type.name}#lock#${reach.key}#${whole.key}#${partly.key}`, () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const selected = [whole.sql("a", next), partly.sql("a", next), "a.account_id", life, ...columns];
    return `SELECT ${selected.join(", ")} FROM ${type.table} a WHERE ${where} FOR NO KEY UPDATE OF a`;
  });
  const rows = await tx.query(built, [id, ...reach.values, ...whole.values, ...partly.values]);
  const row = rows[0] as Row | undefined;
  if (row === undefined) throw new NotFound();
  const [mayWhole, mayPartly, account, life] = row as [string, string, string, string];
  if (mayWhole !== "t" && mayPartly !== "t") throw new Forbidden();
  if (life !== "active" && !isAdministrator(by, account)) throw new Forbidden();
  return { account, life, values: readRow(type, row, 4), onlyFields: mayWhole === "t" ? null : someFields };
}

/** `fixed`: values that come from the path, whoever may write the field otherwise. */
export async function update(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  body: Body,
  scope?: Scope,
  fixed: Values = {},
): Promise<Saved> {
  const input = readInput(type, body, by, "update");
  Object.assign(input.values, fixed);
  try {
    return await engine.database.transaction(async (tx) => {
      const locked = await rowForChange(engine, tx, by, type, id, "update", {
        scope,
        someFields: limitedFields(type, by),
      });
      refuseInactive(locked.life);
      const before = locked.values;
      const after: Values = { ...before };
      for (const [name, value] of Object.entries(input.values)) after[name] = merged(type, name, before[name], value);
      const changed = new Set(
        Object.keys(input.values).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
      );
      if (locked.onlyFields !== null && [...changed].some((name) => !locked.onlyFields?.has(name)))
        throw new Forbidden();
      if ((changed.has("source") || changed.has("sourceID")) && !isAdministrator(by, locked.account))
        throw new Forbidden();

      const problems: Problem[] = [...input.problems];
      const change: Change = { tx, by, id, before, after, changed, problem: (...problem) => problems.push(problem) };
      await settle(engine, type, change, input, problems);
      const changes = changesOf(type, before, after);
      const acts = [...changed].some((name) => type.fields[name]?.passing);
      if (Object.keys(changes).length > 0 || input.attachments.size > 0 || acts) {
        after.updated_at = stampOf(by.now);
        store(engine, tx, type, id, locked.account, before, after);
        await engine.rules.of(type.name).saved?.(change);
      }
      // Setting a field to the value it has changes nothing: no audit line, no event.
      if (Object.keys(changes).length > 0) {
        const fields = new Set(
          Object.keys(type.fields).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
        );
        await announce(engine, tx, by, {
          type,
          id,
          account: locked.account,
          action: "update",
          changes,
          before,
          after,
          events: eventsOf(type, "update", fields),
        });
      }
      return { id, json: await shownAfter(engine, tx, by, type, id), ignored: input.ignored };
    }, by.zone);
  } catch (error) {
    throw asProblem(type, error);
  }
}

/** Custom fields that are not named keep their value. */
function merged(type: Type, name: string, before: Values[string] | undefined, given: Values[string]): Values[string] {
  if (type.fields[name]?.kind !== "customFields" || given === null || before == null) return given;
  return { ...(before as object), ...(given as object) };
}

export function store(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  before: Values,
  after: Values,
): void {
  const columns = [...type.columns].filter(
    ([name]) => name !== "id" && !sameValue(type.fields[name], before[name], after[name]),
  );
  if (columns.length > 0) {
    const built = engine.statements.get(`${type.name}#update#${columns.map(([name]) => name).join(",")}`, () => {
      const set = columns.map(([, column], index) => `${quoted(column)} = $${index + 3}`);
      return `UPDATE ${type.table} SET ${set.join(", ")} WHERE id = $1 AND account_id = $2`;
    });
    tx.send(built, [
      id,
      account,
      ...columns.map(([name]) => toSql(type.fields[name] as NonNullable<(typeof type.fields)[string]>, after[name])),
    ]);
  }
  storeReferences(engine, tx, type, id, account, before, after);
}
