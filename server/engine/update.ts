import { Forbidden, NotFound } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { questionTogether } from "../storage/side-by-side.ts";
import { isAdministrator, limitedFields, type AccessOperation, rowsFor } from "./access.ts";
import type { Caller } from "./caller.ts";
import { allOf, always, type Clause, never } from "./clauses.ts";
import { resolveCodes } from "./codes.ts";
import type { Saved } from "./create.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, withinReach } from "./find.ts";
import { type Body, readInput } from "./input.ts";
import type { Scope } from "./list.ts";
import type { Values } from "./rules.ts";
import { asProblem, readRow, shownAfter, storedColumn, storedFields, withMembers } from "./save.ts";
import { atHome, atWork, homeColumn, lockRecord, sightOf } from "./sides.ts";
import type { Type } from "./types.ts";
import { carryOut, changeOf } from "./within.ts";

export type Locked = {
  account: string;
  /** the other account whose own values these are, where the record is worked on in several */
  side: string | null;
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
  operation: AccessOperation,
  options: { scope?: Scope | undefined; someFields?: ReadonlySet<string> | null } = {},
): Promise<Locked> {
  const { scope, someFields = null } = options;
  const reach =
    scope === undefined
      ? withinReach(type, by, engine.rules)
      : allOf([withinReach(type, by, engine.rules), scope.clause]);
  // A child is changed by whoever may change its parent, which was asked before.
  const sight = sightOf(type, by);
  const isPlain = sight === null && type.bidirectional === null;
  const allowed = (rows: Clause): Clause =>
    sight === null || operation === "read" ? rows : allOf([rows, operation === "update" ? atWork : atHome]);
  const whole = scope?.rights === "of the parent" ? always : allowed(rowsFor(type, operation, by, engine.rules));
  const partly = someFields === null ? never : allowed(rowsFor(type, operation, by, engine.rules, () => true));
  const key = `${type.name}#lock${sight?.key ?? ""}#${reach.key}#${whole.key}#${partly.key}`;
  const build = () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const head = [`a.${homeColumn(type, sight)}`, "a.account_id", life];
    const selected = [whole.sql("a", next), partly.sql("a", next), ...head, ...columns];
    const from = sight?.all.sql(next) ?? type.table;
    const lock = isPlain ? " FOR NO KEY UPDATE OF a" : "";
    return `SELECT ${selected.join(", ")} FROM ${from} a WHERE ${where}${lock}`;
  };
  const built = engine.statements.get(key, build, () => questionTogether(build(), { 1: "integer" }));
  await engine.rules.of(type.name).turns?.(tx, { id });
  if (!isPlain) tx.send(lockRecord(engine, type), [id]);
  const values = [id, ...reach.values, ...whole.values, ...partly.values, ...(sight?.all.values ?? [])];
  const rows = await tx.query(built, values);
  const row = rows[0] as Row | undefined;
  if (row === undefined) throw new NotFound();
  const [mayWhole, mayPartly, account, seenIn, life] = row as [string, string, string, string, string];
  if (mayWhole !== "t" && mayPartly !== "t") throw new Forbidden();
  if (life !== "active" && !isAdministrator(by, account)) throw new Forbidden();
  const side = seenIn === account ? null : seenIn;
  return { account, side, life, values: readRow(type, row, 5), onlyFields: mayWhole === "t" ? null : someFields };
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
  try {
    return await engine.database.transaction(async (tx) => {
      const revealed: Values = {};
      const { ignored } = await updateIn(engine, tx, by, type, id, body, scope, fixed, revealed);
      const json = body.unanswered ? "" : withMembers(await shownAfter(engine, tx, by, type, id), revealed);
      return { id, json, ignored };
    }, by.zone);
  } catch (error) {
    throw asProblem(type, error);
  }
}

/** The same inside a transaction that is under way. */
export async function updateIn(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  body: Body,
  scope?: Scope,
  fixed: Values = {},
  revealed: Values = {},
): Promise<{ ignored: readonly string[]; isChanged: boolean }> {
  const {
    account,
    side,
    life,
    values: before,
    onlyFields,
  } = await rowForChange(engine, tx, by, type, id, "update", { scope, someFields: limitedFields(type, by) });
  refuseInactive(life);
  const { values, attachments, problems, ignored } = readInput(type, body, by, "update", before);
  Object.assign(values, fixed);
  await resolveCodes(engine, tx, by, type, values, problems);
  const change = changeOf(engine, tx, by, type, { id, account, before }, values, {
    attachments,
    problems,
    revealed,
    side,
  });
  const { changed } = change;
  if (onlyFields !== null && [...changed].some((name) => !onlyFields.has(name))) throw new Forbidden();
  if ((changed.has("source") || changed.has("sourceID")) && !isAdministrator(by, account)) throw new Forbidden();
  return { ignored, isChanged: await carryOut(engine, type, change) };
}
