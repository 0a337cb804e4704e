import type { Transaction } from "../database/database.ts";
import { buildSharedReadClause } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { value } from "../engine/sql/query.ts";
import type { Type } from "../engine/types.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";

// IE11. A cell names a record by its natural key: a name, an email address, a label or a reference, or else by its id. A
// record of another account is followed by ` @` and the id of that account. A record that has no name, although others of
// its type have one, is written as `#` and its id.

/** The fields of which one names a record of the type; none: its id does. */
export const getNaturalKeyFields = (type: Type): string[] => type.naturalKey.map(({ field }) => field);

const isKeyedById = (type: Type): boolean => type.routes.singleton || type.naturalKey.length === 0;

/** The natural key of the row `r`, as SQL. */
function buildKeySql(type: Type, r: string): string {
  const column = (field: string) => `${r}.${quoteIdentifier(field)}`;
  const cases = type.naturalKey.flatMap(({ field, when }) =>
    when === undefined ? [] : [`WHEN ${column(when)} THEN ${column(field)}`],
  );
  const otherwise = column(type.naturalKey.find(({ when }) => when === undefined)?.field ?? "id");
  return cases.length === 0 ? otherwise : `CASE ${cases.join(" ")} ELSE ${otherwise} END`;
}

/** The natural key as the rows of an account show it: followed by the account of the record when that is another one. */
export const buildKeyWithAccountSql = (type: Type, r: string, account: string): string =>
  isKeyedById(type)
    ? `${r}.id::text`
    : `coalesce(${buildKeySql(type, r)} || CASE WHEN ${r}.account_id <> ${account} THEN ' @' || ${r}.account_id ELSE '' END, '#' || ${r}.id)`;

/** Whether the rows of an account show a linked record: it belongs to the account or is shared with it. */
export function buildSharedWithSql(type: Type, r: string, account: string): string {
  const ways = [`${r}.account_id = ${account}`];
  if (type.sharing.sharedByDirectory)
    ways.push(`${r}.account_id = (SELECT directory_account_id FROM accounts WHERE id = ${account})`);
  if (type.sharing.acrossAccounts !== null)
    ways.push(
      `EXISTS (SELECT 1 FROM account_trusts t WHERE t.account_id = ${account} AND t.trusted_account_id = ${r}.account_id AND t.status = 'accepted')`,
    );
  return `(${ways.join(" OR ")})`;
}

/** The conditions under which the row `r` has a key, each of which an index serves. */
function buildMatchSql(type: Type, r: string, key: string): string[] {
  const column = (field: string) => `${r}.${quoteIdentifier(field)}`;
  const exceptions = type.naturalKey.flatMap(({ when }) => (when === undefined ? [] : [`${column(when)} IS NOT TRUE`]));
  return type.naturalKey.map(({ field, when, ignoreCase }) => {
    const folded = `lower(${column(field)}) = lower(${key})`;
    // The index of such a field is on lower(): without the first comparison it would not be used.
    const hasFoldedIndex = type.caseInsensitive.includes(field);
    const matches = ignoreCase ? [folded] : [...(hasFoldedIndex ? [folded] : []), `${column(field)} = ${key}`];
    return [...matches, ...(when === undefined ? exceptions : [column(when)])].join(" AND ");
  });
}

export type LookupResult = { id: number | string } | "nothing" | "several";

const parseId = (text: string): LookupResult =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647 ? { id: Number(text) } : "nothing";

/** The records that cells name, loaded for many cells in one statement. */
export class RecordLookup {
  private readonly engine: Engine;
  private readonly by: Caller;
  private readonly results = new Map<string, Map<string, LookupResult>>();

  constructor(engine: Engine, by: Caller) {
    this.engine = engine;
    this.by = by;
  }

  /** Invalidates the names of a type whose records were changed. */
  forget(type: Type): void {
    this.results.delete(type.name);
  }

  /** A loaded result. Whether the caller can see a record of that id is checked when the row is saved. */
  find(type: Type, cell: string): LookupResult {
    if (type.routes.singleton) return { id: cell };
    if (isKeyedById(type)) return parseId(cell);
    return this.results.get(type.name)?.get(cell) ?? "nothing";
  }

  async load(tx: Transaction, type: Type, cells: Iterable<string>): Promise<void> {
    if (isKeyedById(type)) return;
    const known = this.results.get(type.name) ?? new Map<string, LookupResult>();
    this.results.set(type.name, known);
    const unknown = [...new Set(cells)].filter((cell) => !known.has(cell) && isStorable(cell));
    if (unknown.length === 0) return;
    const foreign = unknown.map((cell) => /^(.*) @([\w-]+)$/s.exec(cell));
    const byWholeCell = await this.loadByKey(
      tx,
      type,
      unknown.map((cell) => [cell, null]),
    );
    const rest = unknown.map((_, index) => index).filter((at) => byWholeCell[at] === "nothing" && foreign[at] !== null);
    const byKeyAndAccount = await this.loadByKey(
      tx,
      type,
      rest.map((at) => [foreign[at]?.[1] as string, foreign[at]?.[2] as string]),
    );
    rest.forEach((at, index) => {
      byWholeCell[at] = byKeyAndAccount[index] as LookupResult;
    });
    unknown.forEach((cell, at) => {
      const found = byWholeCell[at] as LookupResult;
      known.set(cell, found === "nothing" && cell.startsWith("#") ? parseId(cell.slice(1)) : found);
    });
  }

  /** Without an account: that of the call, and only then the others whose records are shared with it. */
  private async loadByKey(
    tx: Transaction,
    type: Type,
    keys: readonly (readonly [key: string, account: string | null])[],
  ): Promise<LookupResult[]> {
    if (keys.length === 0) return [];
    const { engine, by } = this;
    const visible = buildSharedReadClause(type, by, engine.rules);
    const parts = {
      keys: value(keys.map(([key]) => key)),
      accounts: value(keys.map(([, account]) => account)),
      own: value(by.account),
      visible,
    };
    const query = engine.statements.prepare(`${type.name}#keys`, parts, (sql) => {
      const active = type.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
      const given = `unnest(${sql.keys}::text[], ${sql.accounts}::text[]) WITH ORDINALITY AS k (key, account, nr)`;
      const matches = buildMatchSql(type, "a", "k.key").map(
        (isSame) =>
          `SELECT k.nr, a.id, a.account_id = ${sql.own} AS own FROM ${given} JOIN ${type.table} a ON ${isSame} WHERE (k.account IS NULL OR a.account_id = k.account) AND ${sql.visible}${active}`,
      );
      return `SELECT nr, count(*), min(id), count(*) FILTER (WHERE own), min(id) FILTER (WHERE own) FROM (${matches.join(" UNION ALL ")}) x GROUP BY nr`;
    });
    const found: LookupResult[] = keys.map(() => "nothing");
    for (const [nr, many, id, manyOwn, own] of await tx.query(query.statement, query.values)) {
      const [count, one] = own === null ? [many, id] : [manyOwn, own];
      found[Number(nr) - 1] = count === "1" ? { id: Number(one) } : "several";
    }
    return found;
  }
}
