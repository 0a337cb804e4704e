import { buildTenantClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import type { RowScope } from "../list.ts";
import { buildSharedRows, pickRows, recordAccountColumn, type SharedRows } from "../overlays.ts";
import { allOf, type Fragment, oneOfAccounts } from "../sql/clauses.ts";
import { compareWithValue, tableOfAccount } from "../sql/placement.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";

// One record by its id, as far as the caller can reach it. A statement that looks in the account of the call alone is planned
// once, and for one partition where tables are divided.

export type RecordLookup = {
  /** null: the record may belong to another account that shares it */
  shared: SharedRows | null;
  /** `account`: the only one to look in; null: `reach` names several */
  parts: { id: Fragment; account: Fragment | null; reach: Fragment | null; rows: Fragment | null };
};

type LookupSql = { [name in keyof RecordLookup["parts"]]: string | null };

/** The look-ups to try, until one finds a row. */
export function listLookups(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number | string,
  scope?: RowScope,
): [RecordLookup, ...RecordLookup[]] {
  const tenant = buildTenantClause(type, by, engine.rules);
  const shared = buildSharedRows(type, by);
  const reach = scope === undefined ? tenant : allOf([tenant, scope.clause]);
  const everywhere = { shared, parts: { id: value(id), account: null, reach, rows: pickRows(type, shared) } };
  if (type.placement !== "account") return [everywhere];
  const own = {
    shared: null,
    parts: { id: value(id), account: value(by.account), reach: scope?.clause ?? null, rows: null },
  };
  const isOwnOnly =
    shared === null &&
    tenant.key === oneOfAccounts(type.accountColumn, [by.account]).key &&
    tenant.values[0] === by.account;
  if (isOwnOnly) return [own];
  // Most requested records belong to the account of the call.
  return engine.database.isDivided ? [own, everywhere] : [everywhere];
}

/** The statement of a lookup; `selected` are expressions on the row `a`. */
export function buildLookupText(
  type: Type,
  { shared }: RecordLookup,
  selected: readonly string[],
  { id, account, reach, rows }: LookupSql,
  joins: readonly string[] = [],
): string {
  const from = account === null ? rows : `${tableOfAccount(type, account)} a`;
  const text = `SELECT ${selected.join(", ")} FROM ${[from, ...joins].join(" ")} WHERE a.id = ${id}${reach === null ? "" : ` AND ${reach}`}`;
  if (account === null) return text;
  const column = recordAccountColumn(type, shared);
  return `${compareWithValue(text, column, account)} AND a.${column} = ${account}`;
}
