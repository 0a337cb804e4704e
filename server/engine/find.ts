import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { accountsOf, isAdministrator, type AccessOperation, readableAcross, readableRows, rowsFor } from "./access.ts";
import type { Caller } from "./caller.ts";
import { allOf, anyOf, type Clause, oneOfAccounts } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { knownFields, type Scope, unknownFields } from "./list.ts";
import type { Rules } from "./rules.ts";
import { atWork, belowShared, homeColumn, sightOf } from "./sides.ts";
import type { Type } from "./types.ts";

/** The rows a caller could ever hear of: those of every account the person has a part in. All others do not exist. */
export function withinReach(type: Type, by: Caller, rules: Rules): Clause {
  const parts = oneOfAccounts(type.accountColumn, [...new Set([...by.parts, ...accountsOf(type, by)])]);
  if (type.acrossAccounts !== null) return anyOf([parts, readableAcross(type, by, rules)]);
  const below = belowShared(type, by);
  return below === null ? parts : anyOf([parts, below]);
}

/** A record as JSON text. 404 and 403 as design says: out of reach, or within reach but not for this person. */
export async function find(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number | string,
  fields: readonly string[] | null = null,
  scope?: Scope,
): Promise<string> {
  const chosen = fields === null ? type.whole : knownFields(type, fields);
  if (chosen === null) {
    // Whether there is such a record, and whether it is for this person, comes before what is wrong with the question.
    await find(engine, by, type, id, [], scope);
    throw unknownFields(type, fields ?? []);
  }
  const sight = sightOf(type, by);
  const shape = engine.output.shape(type, chosen, sight !== null);
  const reach =
    scope === undefined
      ? withinReach(type, by, engine.rules)
      : allOf([withinReach(type, by, engine.rules), scope.clause]);
  const allowed = readableRows(type, by, engine.rules, scope?.rights === "of the parent");
  const key = `${type.name}#one${sight?.key ?? ""}#${fields === null ? "*" : chosen.join(",")}#${reach.key}#${allowed.key}`;
  const built = engine.statements.get(key, () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    const selected = [allowed.sql("a", next), `a.${homeColumn(type, sight)}`, life, ...shape.columns];
    return `SELECT ${selected.join(", ")} FROM ${sight?.all.sql(next) ?? type.table} a ${shape.joins.join(" ")} WHERE ${where}`;
  });
  // Placeholders were numbered in the order of the text: the WHERE was written first.
  const values = [id, ...reach.values, ...allowed.values, ...(sight?.all.values ?? [])];
  const rows = await engine.database.read(built, values, by.zone);
  const row = rows[0];
  if (row === undefined) throw new NotFound();
  checkVisible(row, by);
  return shape.write(row, 3, by);
}

function checkVisible(row: Row, by: Caller): void {
  const [allowed, account, life] = row as [string, string, string];
  if (allowed !== "t") throw new Forbidden();
  if (life !== "active" && !isAdministrator(by, account)) throw new Forbidden();
}

/** What cannot be changed any more gets no children and no links either. */
export function refuseInactive(life: string): void {
  if (life !== "active") throw new Invalid([["base", `record is ${life}`]]);
}

/** The account of a record that the caller may add a note to, wherever the note comes from. */
export const requireToNote = (engine: Engine, by: Caller, type: Type, id: number, tx?: Transaction): Promise<string> =>
  requireRecord(engine, by, type, id, type.children.notes?.addedBy === "readers" ? "link to" : "update", tx);

/** Finds out whether a record exists for this caller and may be used in that way; answers its account. */
export async function requireRecord(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  purpose: AccessOperation | "link to",
  tx?: Transaction,
): Promise<string> {
  const operation = purpose === "link to" ? "read" : purpose;
  const reach = withinReach(type, by, engine.rules);
  const sight = sightOf(type, by);
  const rows = operation === "read" ? readableRows(type, by, engine.rules) : rowsFor(type, operation, by, engine.rules);
  const allowed = sight === null || operation === "read" ? rows : allOf([rows, atWork]);
  const key = `${type.name}#may${sight?.key ?? ""}#${reach.key}#${allowed.key}`;
  const built = engine.statements.get(key, () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    return `SELECT ${allowed.sql("a", next)}, a.${homeColumn(type, sight)}, ${life} FROM ${sight?.all.sql(next) ?? type.table} a WHERE ${where}`;
  });
  const values = [id, ...reach.values, ...allowed.values, ...(sight?.all.values ?? [])];
  const [row] = await (tx === undefined ? engine.database.read(built, values) : tx.query(built, values));
  if (row === undefined) throw new NotFound();
  checkVisible(row, by);
  if (purpose === "update" || purpose === "link to") refuseInactive(row[2] as string);
  return row[1] as string;
}
