import { buildSharedReadClause } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { value } from "../engine/sql/query.ts";
import type { Type } from "../engine/types.ts";
import type { Transaction } from "../storage/database.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";

// IE11. A cell names a record by its name, e-mail address, label, reference or id, depending on the type; for a record of
// another account ` @` and the id of that account follow. A record without a name is written as `#` and its id.

const typesByReference = new Set(["product_category", "custom_collection"]);
/** Types without a name whose subject identifies a record. */
const typesBySubject = new Set(["project_template", "project_task_template"]);

/** The fields of which one identifies a record of the type; none: its id does. */
export function getNaturalKeyFields(type: Type): string[] {
  if (type.name === "person") return ["primary_email"];
  if (type.name === "ci") return ["name", "label"];
  if (typesByReference.has(type.name)) return ["reference"];
  return type.display === "name" || typesBySubject.has(type.name) ? [type.display] : [];
}

const isKeyedById = (type: Type): boolean => type.singleton || getNaturalKeyFields(type).length === 0;

/** SQL of the natural key; `r` is the alias of the row. */
function buildKeySql(type: Type, r: string): string {
  if (type.name === "ci") return `CASE WHEN ${r}.software THEN ${r}.name ELSE ${r}.label END`;
  return `${r}.${quoteIdentifier(getNaturalKeyFields(type)[0] ?? "id")}`;
}

/** SQL of the cell text, with the account where it differs from that of the file. */
export const buildKeyWithAccountSql = (type: Type, r: string, account: string): string =>
  isKeyedById(type)
    ? `${r}.id::text`
    : `coalesce(${buildKeySql(type, r)} || CASE WHEN ${r}.account_id <> ${account} THEN ' @' || ${r}.account_id ELSE '' END, '#' || ${r}.id)`;

/** SQL: whether a linked record belongs to the account or is shared with it. */
export function buildSharedWithSql(type: Type, r: string, account: string): string {
  const conditions = [`${r}.account_id = ${account}`];
  if (type.sharedByDirectory)
    conditions.push(`${r}.account_id = (SELECT directory_account_id FROM accounts WHERE id = ${account})`);
  if (type.acrossAccounts !== null)
    conditions.push(
      `EXISTS (SELECT 1 FROM account_trusts t WHERE t.account_id = ${account} AND t.trusted_account_id = ${r}.account_id AND t.status = 'accepted')`,
    );
  return `(${conditions.join(" OR ")})`;
}

/** Conditions that match a key, each served by an index. E-mail addresses match in any case. */
function buildMatchSql(type: Type, r: string, key: string): string[] {
  if (type.name === "person") return [`lower(${r}.primary_email) = lower(${key})`];
  if (type.name !== "ci") return [`${buildKeySql(type, r)} = ${key}`];
  return [
    `lower(${r}.label) = lower(${key}) AND ${r}.label = ${key} AND ${r}.software IS NOT TRUE`,
    `${r}.name = ${key} AND ${r}.software`,
  ];
}

export type LookupResult = { id: number | string } | "nothing" | "several";

const parseId = (text: string): LookupResult =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647 ? { id: Number(text) } : "nothing";

/** Resolves cells to ids, many cells per query. */
export class RecordLookup {
  private readonly engine: Engine;
  private readonly by: Caller;
  private readonly results = new Map<string, Map<string, LookupResult>>();

  constructor(engine: Engine, by: Caller) {
    this.engine = engine;
    this.by = by;
  }

  /** Drops cached results, because records of the type were changed. */
  forget(type: Type): void {
    this.results.delete(type.name);
  }

  /** Returns a loaded result. The save of the row checks whether the caller may use the record. */
  find(type: Type, cell: string): LookupResult {
    if (type.singleton) return { id: cell };
    if (isKeyedById(type)) return parseId(cell);
    return this.results.get(type.name)?.get(cell) ?? "nothing";
  }

  async load(tx: Transaction, type: Type, cells: Iterable<string>): Promise<void> {
    if (isKeyedById(type)) return;
    const cached = this.results.get(type.name) ?? new Map<string, LookupResult>();
    this.results.set(type.name, cached);
    const missing = [...new Set(cells)].filter((cell) => !cached.has(cell) && isStorable(cell));
    if (missing.length === 0) return;
    const withAccount = missing.map((cell) => /^(.*) @([\w-]+)$/s.exec(cell));
    // A name may itself end in " @something", so the whole cell is tried first.
    const results = await this.loadByKey(
      tx,
      type,
      missing.map((cell) => [cell, null]),
    );
    const secondTry = missing
      .map((_, index) => index)
      .filter((at) => results[at] === "nothing" && withAccount[at] !== null);
    const secondResults = await this.loadByKey(
      tx,
      type,
      secondTry.map((at) => [withAccount[at]?.[1] as string, withAccount[at]?.[2] as string]),
    );
    secondTry.forEach((at, index) => {
      results[at] = secondResults[index] as LookupResult;
    });
    missing.forEach((cell, at) => {
      const result = results[at] as LookupResult;
      cached.set(cell, result === "nothing" && cell.startsWith("#") ? parseId(cell.slice(1)) : result);
    });
  }

  /** Without an account, records of the caller's account come before shared records of other accounts. */
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
      const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
      const given = `unnest(${sql.keys}::text[], ${sql.accounts}::text[]) WITH ORDINALITY AS k (key, account, nr)`;
      const matches = buildMatchSql(type, "a", "k.key").map(
        (isSame) =>
          `SELECT k.nr, a.id, a.account_id = ${sql.own} AS own FROM ${given} JOIN ${type.table} a ON ${isSame} WHERE (k.account IS NULL OR a.account_id = k.account) AND ${sql.visible}${active}`,
      );
      return `SELECT nr, count(*), min(id), count(*) FILTER (WHERE own), min(id) FILTER (WHERE own) FROM (${matches.join(" UNION ALL ")}) x GROUP BY nr`;
    });
    const results: LookupResult[] = keys.map(() => "nothing");
    for (const [nr, countAll, firstId, countOwn, firstOwnId] of await tx.query(query.statement, query.values)) {
      const [count, id] = firstOwnId === null ? [countAll, firstId] : [countOwn, firstOwnId];
      results[Number(nr) - 1] = count === "1" ? { id: Number(id) } : "several";
    }
    return results;
  }
}
