import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import {
  type AccessOperation,
  buildAccessClause,
  buildReadClause,
  buildSharedReadClause,
  isAdministrator,
  pickAccounts,
} from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { pickKnownFields, type RowScope, unknownFieldsError } from "./list.ts";
import { buildSharedOwnerClause, buildSharedRows, exceptViewers, recordAccountColumn } from "./overlays.ts";
import type { Rules } from "./rules.ts";
import { allOf, anyOf, type Clause, oneOfAccounts } from "./sql/clauses.ts";
import type { Type } from "./types.ts";

/** The rows a caller could ever hear of: those of every account the person has a part in. All others do not exist. */
export function buildTenantClause(type: Type, by: Caller, rules: Rules): Clause {
  const parts = oneOfAccounts(type.accountColumn, [...new Set([...by.memberAccounts, ...pickAccounts(type, by)])]);
  if (type.acrossAccounts !== null) return anyOf([parts, buildSharedReadClause(type, by, rules)]);
  const below = buildSharedOwnerClause(type, by);
  return below === null ? parts : anyOf([parts, below]);
}

/** A record as JSON text. 404 and 403 by AZ11: out of reach, or within reach but not for this person. */
export async function find(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number | string,
  fields: readonly string[] | null = null,
  scope?: RowScope,
): Promise<string> {
  const chosen = fields === null ? type.detailFields : pickKnownFields(type, fields);
  if (chosen === null) {
    // Whether there is such a record, and whether it is for this person, comes before what is wrong with the question.
    await find(engine, by, type, id, [], scope);
    throw unknownFieldsError(type, fields ?? []);
  }
  const sight = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, chosen, sight !== null);
  const reach =
    scope === undefined
      ? buildTenantClause(type, by, engine.rules)
      : allOf([buildTenantClause(type, by, engine.rules), scope.clause]);
  const allowed = buildReadClause(type, by, engine.rules, scope?.rights === "of the parent");
  const key = `${type.name}#one${sight?.key ?? ""}#${fields === null ? "*" : chosen.join(",")}#${reach.key}#${allowed.key}`;
  const built = engine.statements.get(key, () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    const selected = [allowed.sql("a", next), `a.${recordAccountColumn(type, sight)}`, life, ...shape.columns];
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
export const requireNoteAccess = (
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  tx?: Transaction,
): Promise<string> =>
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
  const reach = buildTenantClause(type, by, engine.rules);
  const sight = buildSharedRows(type, by);
  const rows =
    operation === "read"
      ? buildReadClause(type, by, engine.rules)
      : buildAccessClause(type, operation, by, engine.rules);
  const allowed = sight === null || operation === "read" ? rows : allOf([rows, exceptViewers]);
  const key = `${type.name}#may${sight?.key ?? ""}#${reach.key}#${allowed.key}`;
  const built = engine.statements.get(key, () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    return `SELECT ${allowed.sql("a", next)}, a.${recordAccountColumn(type, sight)}, ${life} FROM ${sight?.all.sql(next) ?? type.table} a WHERE ${where}`;
  });
  const values = [id, ...reach.values, ...allowed.values, ...(sight?.all.values ?? [])];
  const [row] = await (tx === undefined ? engine.database.read(built, values) : tx.query(built, values));
  if (row === undefined) throw new NotFound();
  checkVisible(row, by);
  if (purpose === "update" || purpose === "link to") refuseInactive(row[2] as string);
  return row[1] as string;
}
