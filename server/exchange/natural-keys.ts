import { buildSharedReadClause } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { value } from "../engine/sql/query.ts";
import type { Type } from "../engine/types.ts";
import type { Transaction } from "../storage/database.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";

// IE11. How a cell names a record of a type: by its name, its e-mail address, its label, its reference or its id; a
// record of another account is followed by ` @` and the id of that account. A record that has no name although others
// of its type do is written `#` and its id.

const typesByReference = new Set(["product_category", "custom_collection"]);
/** what has no name is known by its id, but for these, whose subject is one */
const typesBySubject = new Set(["project_template", "project_task_template"]);

/** The fields of which one names a record of the type; none: its id does. */
export function getNaturalKeyFields(type: Type): string[] {
  if (type.name === "person") return ["primary_email"];
  if (type.name === "ci") return ["name", "label"];
  if (typesByReference.has(type.name)) return ["reference"];
  return type.display === "name" || typesBySubject.has(type.name) ? [type.display] : [];
}

const isKeyedById = (type: Type): boolean => type.singleton || getNaturalKeyFields(type).length === 0;

/** What names a record in a cell, as SQL text; `r` is its row. */
function buildKeySql(type: Type, r: string): string {
  if (type.name === "ci") return `CASE WHEN ${r}.software THEN ${r}.name ELSE ${r}.label END`;
  return `${r}.${quoteIdentifier(getNaturalKeyFields(type)[0] ?? "id")}`;
}

/** A key as it stands in the rows of an account: followed by the account when that is another one. */
export const buildKeyWithAccountSql = (type: Type, r: string, account: string): string =>
  isKeyedById(type)
    ? `${r}.id::text`
    : `coalesce(${buildKeySql(type, r)} || CASE WHEN ${r}.account_id <> ${account} THEN ' @' || ${r}.account_id ELSE '' END, '#' || ${r}.id)`;

/** Whether a linked record is shown in the rows of an account: it is its own, or shared with it. */
export function buildSharedWithSql(type: Type, r: string, account: string): string {
  const ways = [`${r}.account_id = ${account}`];
  if (type.sharedByDirectory)
    ways.push(`${r}.account_id = (SELECT directory_account_id FROM accounts WHERE id = ${account})`);
  if (type.acrossAccounts !== null)
    ways.push(
      `EXISTS (SELECT 1 FROM account_trusts t WHERE t.account_id = ${account} AND t.trusted_account_id = ${r}.account_id AND t.status = 'accepted')`,
    );
  return `(${ways.join(" OR ")})`;
}

/** The ways to have a key, each of which an index serves. People are found by either case of their address. */
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

/** What cells name: an id, or why they name none. Asked for many cells at once. */
export class RecordLookup {
  private readonly engine: Engine;
  private readonly by: Caller;
  private readonly results = new Map<string, Map<string, LookupResult>>();

  constructor(engine: Engine, by: Caller) {
    this.engine = engine;
    this.by = by;
  }

  /** Records of that type were changed: names may mean others. */
  forget(type: Type): void {
    this.results.delete(type.name);
  }

  /** What was learnt. Whether there is such a record for the caller is asked when the row is saved. */
  find(type: Type, cell: string): LookupResult {
    if (type.singleton) return { id: cell };
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
    const whole = await this.loadByKey(
      tx,
      type,
      unknown.map((cell) => [cell, null]),
    );
    const asked = unknown.map((_, index) => index).filter((at) => whole[at] === "nothing" && foreign[at] !== null);
    const apart = await this.loadByKey(
      tx,
      type,
      asked.map((at) => [foreign[at]?.[1] as string, foreign[at]?.[2] as string]),
    );
    asked.forEach((at, index) => {
      whole[at] = apart[index] as LookupResult;
    });
    unknown.forEach((cell, at) => {
      const found = whole[at] as LookupResult;
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
      const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
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
