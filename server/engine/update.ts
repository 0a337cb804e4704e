import { Forbidden, NotFound } from "../base/errors.ts";
import { buildReadBatch } from "../storage/batch.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { type AccessOperation, buildAccessClause, isAdministrator, limitedFields } from "./access.ts";
import type { Caller } from "./caller.ts";
import { commitChange, prepareChange } from "./change.ts";
import type { SaveResult } from "./create.ts";
import type { Engine } from "./engine.ts";
import { buildTenantClause, refuseInactive } from "./find.ts";
import type { RowScope } from "./list.ts";
import {
  buildSharedRows,
  exceptViewers,
  lockRecordStatement,
  onlyRecordAccount,
  recordAccountColumn,
} from "./overlays.ts";
import type { Values } from "./rules.ts";
import { allOf, always, type Clause, never } from "./sql/clauses.ts";
import type { Type } from "./types.ts";
import { resolveCodes } from "./write/codes.ts";
import { type Body, readInput } from "./write/input.ts";
import {
  appendMembers,
  loadSavedJson,
  readRow,
  storedColumn,
  storedFields,
  translateDatabaseError,
} from "./write/save.ts";

export type LockedRecord = {
  account: string;
  /** the other account whose own values these are, where the record is worked on in several */
  participant: string | null;
  lifeCycle: string;
  values: Values;
  /** set when the caller may change these fields of the row and no others */
  onlyFields: ReadonlySet<string> | null;
};

/** The row to be changed, locked until the end of the transaction. 403 and 404 come from here and nowhere else. */
export async function lockForChange(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  operation: AccessOperation,
  options: { scope?: RowScope | undefined; someFields?: ReadonlySet<string> | null } = {},
): Promise<LockedRecord> {
  const { scope, someFields = null } = options;
  const reach =
    scope === undefined
      ? buildTenantClause(type, by, engine.rules)
      : allOf([buildTenantClause(type, by, engine.rules), scope.clause]);
  // A child is changed by whoever may change its parent, which was asked before.
  const sight = buildSharedRows(type, by);
  const isPlain = sight === null && type.bidirectional === null;
  const allowed = (rows: Clause): Clause =>
    sight === null || operation === "read"
      ? rows
      : allOf([rows, operation === "update" ? exceptViewers : onlyRecordAccount]);
  const whole =
    scope?.rights === "of the parent" ? always : allowed(buildAccessClause(type, operation, by, engine.rules));
  const partly =
    someFields === null ? never : allowed(buildAccessClause(type, operation, by, engine.rules, () => true));
  const key = `${type.name}#lock${sight?.key ?? ""}#${reach.key}#${whole.key}#${partly.key}`;
  const build = () => {
    let used = 1;
    const next = () => `$${++used}`;
    const where = `a.id = $1 AND ${reach.sql("a", next)}`;
    const life = type.archivable === null ? "'active'" : "a.life_cycle";
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const head = [`a.${recordAccountColumn(type, sight)}`, "a.account_id", life];
    const selected = [whole.sql("a", next), partly.sql("a", next), ...head, ...columns];
    const from = sight?.all.sql(next) ?? type.table;
    const lock = isPlain ? " FOR NO KEY UPDATE OF a" : "";
    return `SELECT ${selected.join(", ")} FROM ${from} a WHERE ${where}${lock}`;
  };
  const built = engine.statements.get(key, build, () => buildReadBatch(build(), { 1: "integer" }));
  await engine.rules.forType(type.name).lockFirst?.(tx, { id });
  if (!isPlain) tx.send(lockRecordStatement(engine, type), [id]);
  const values = [id, ...reach.values, ...whole.values, ...partly.values, ...(sight?.all.values ?? [])];
  const rows = await tx.query(built, values);
  const row = rows[0] as Row | undefined;
  if (row === undefined) throw new NotFound();
  const [mayWhole, mayPartly, account, seenIn, life] = row as [string, string, string, string, string];
  if (mayWhole !== "t" && mayPartly !== "t") throw new Forbidden();
  if (life !== "active" && !isAdministrator(by, account)) throw new Forbidden();
  const side = seenIn === account ? null : seenIn;
  return {
    account,
    participant: side,
    lifeCycle: life,
    values: readRow(type, row, 5),
    onlyFields: mayWhole === "t" ? null : someFields,
  };
}

/** `fixed`: values that come from the path, whoever may write the field otherwise. */
export async function update(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  body: Body,
  scope?: RowScope,
  fixed: Values = {},
): Promise<SaveResult> {
  try {
    return await engine.database.transaction(async (tx) => {
      const revealed: Values = {};
      const { ignored } = await updateInTransaction(engine, tx, by, type, id, body, scope, fixed, revealed);
      const json = body.skipResponse ? "" : appendMembers(await loadSavedJson(engine, tx, by, type, id), revealed);
      return { id, json, ignored };
    }, by.zone);
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

/** The same inside a transaction that is under way. */
export async function updateInTransaction(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  body: Body,
  scope?: RowScope,
  fixed: Values = {},
  revealed: Values = {},
): Promise<{ ignored: readonly string[]; isChanged: boolean }> {
  const {
    account,
    participant: side,
    lifeCycle: life,
    values: before,
    onlyFields,
  } = await lockForChange(engine, tx, by, type, id, "update", { scope, someFields: limitedFields(type, by) });
  refuseInactive(life);
  const { values, attachments, problems, ignored } = readInput(type, body, by, "update", before);
  Object.assign(values, fixed);
  await resolveCodes(engine, tx, by, type, values, problems);
  const change = prepareChange(engine, tx, by, type, { id, account, before }, values, {
    attachments,
    problems,
    revealed,
    participant: side,
  });
  const { changed } = change;
  if (onlyFields !== null && [...changed].some((name) => !onlyFields.has(name))) throw new Forbidden();
  if ((changed.has("source") || changed.has("sourceID")) && !isAdministrator(by, account)) throw new Forbidden();
  return { ignored, isChanged: await commitChange(engine, type, change) };
}
