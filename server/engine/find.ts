import type { Grant } from "../../records/people/roles.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { type AccessOperation, buildAccessClause, buildReadClause, isAdministrator } from "./access.ts";
import { type Caller, listReachableAccounts } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { pickKnownFields, type RowScope, unknownFieldsError } from "./list.ts";
import { exceptViewers, recordAccountColumn, type SharedRows } from "./overlays.ts";
import { buildLookupText, listLookups } from "./read/record-lookup.ts";
import { allOf } from "./sql/clauses.ts";
import type { Type } from "./types.ts";
import { parseRevision, selectRevision } from "./write/respond.ts";

/** A record as JSON text. AZ11: 404 outside the accounts of the person, 403 inside them without the right to read. */
export const find = async (...query: Parameters<typeof findWithRevision>): Promise<string> =>
  (await findWithRevision(...query)).json;

/** `revision`: null where the type counts none */
export type FoundRecord = { json: string; revision: number | null };

export async function findWithRevision(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number | string,
  fields: readonly string[] | null = null,
  scope?: RowScope,
): Promise<FoundRecord> {
  const chosen = fields === null ? type.detailFields : pickKnownFields(type, fields);
  if (chosen === null) {
    // 404 and 403 come before 400.
    await find(engine, by, type, id, [], scope);
    throw unknownFieldsError(type, fields ?? []);
  }
  const allowed = buildReadClause(type, by, engine.rules, scope?.rights === "of the parent");
  const name = `${type.name}#one#${fields === null ? "*" : chosen.join(",")}`;
  for (const lookup of listLookups(engine, by, type, id, scope)) {
    const { parts, shared } = lookup;
    const shape = engine.serializer.forRecord(type, chosen, shared !== null);
    const query = engine.statements.prepare(name, { ...parts, allowed }, (sql) => {
      const selected = [sql.allowed, ...selectState(type, shared), selectRevision(type), ...shape.columns];
      return buildLookupText(type, lookup, selected, sql, shape.joins);
    });
    const [row] = await engine.database.read(query.statement, query.values, by.zone);
    if (row === undefined) continue;
    checkVisible(row, by);
    return { json: shape.write(row, 4, by), revision: parseRevision(row[3]) };
  }
  throw new NotFound();
}

/** The account that a row belongs to, and whether it is active, as `checkVisible` expects them. */
const selectState = (type: Type, shared: SharedRows | null): string[] => [
  `a.${recordAccountColumn(type, shared)}`,
  type.deletion.archivable === null ? "'active'" : "a.life_cycle",
];

function checkVisible(row: Row, by: Caller): void {
  const [allowed, account, life] = row as [string, string, string];
  if (allowed !== "t") throw new Forbidden();
  if (life !== "active" && !isAdministrator(by, account)) throw new Forbidden();
}

/** An archived or trashed record cannot be changed and gets no children and no links. */
export function refuseInactive(life: string): void {
  if (life !== "active") throw new Invalid([["base", `record is ${life}`]]);
}

/** Requires the right to add a note to a record; returns the account of the record. */
export const requireNoteAccess = (
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  tx?: Transaction,
): Promise<string> =>
  requireRecord(engine, by, type, id, type.children.notes?.addedBy === "readers" ? "link to" : "update", tx);

/** Requires that a record exists for the caller, who may use it for that purpose; returns its account. */
export const requireRecord = (
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  purpose: AccessOperation | "link to",
  tx?: Transaction,
): Promise<string> => requireAllowed(engine, by, { type, id }, purpose, { tx });

/** The same for a change of its children of that name, which a grant may allow where it does not allow the whole record. */
export const requireChildAccess = (
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  children: string,
): Promise<string> =>
  requireAllowed(engine, by, { type, id }, "update", {
    counts: ({ fields }) => fields === undefined || fields.includes(children),
  });

async function requireAllowed(
  engine: Engine,
  by: Caller,
  { type, id }: { type: Type; id: number },
  purpose: AccessOperation | "link to",
  { tx, counts }: { tx?: Transaction | undefined; counts?: (grant: Grant) => boolean },
): Promise<string> {
  const operation = purpose === "link to" ? "read" : purpose;
  const granted =
    operation === "read"
      ? buildReadClause(type, by, engine.rules)
      : buildAccessClause(type, operation, by, engine.rules, counts);
  for (const lookup of listLookups(engine, by, type, id)) {
    const { parts, shared } = lookup;
    const allowed = shared === null || operation === "read" ? granted : allOf([granted, exceptViewers]);
    const query = engine.statements.prepare(`${type.name}#may`, { ...parts, allowed }, (sql) =>
      buildLookupText(type, lookup, [sql.allowed, ...selectState(type, shared)], sql),
    );
    const [row] = await (tx === undefined
      ? engine.database.read(query.statement, query.values)
      : tx.query(query.statement, query.values));
    if (row === undefined) continue;
    checkVisible(row, by);
    if (purpose === "update" || purpose === "link to") refuseInactive(row[2] as string);
    return row[1] as string;
  }
  throw new NotFound();
}

/** Whether a field of a record has one of the values. */
export async function hasValue(
  { database }: Engine,
  by: Caller,
  { table }: Type,
  id: number,
  field: string,
  values: readonly string[],
): Promise<boolean> {
  const query = statement(
    `SELECT 1 FROM ${table} WHERE id = $1 AND ${quoteIdentifier(field)} = ANY ($2::text[]) AND account_id = ANY ($3::text[])`,
  );
  return (await database.read(query, [id, values, listReachableAccounts(by)])).length > 0;
}
