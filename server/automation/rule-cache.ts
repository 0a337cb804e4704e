import { type Database, statement, type Transaction } from "../database/database.ts";
import type { PgListener } from "../database/pg-listener.ts";

// Caches which rules an account has, so that a save without matching rules costs no query. Invalidated by NOTIFY when any
// process changes a rule.

export type GenericRule = { id: number; trigger: string; position: number; ofApp: boolean };
export type AccountRules = {
  /** enabled rules for all records of a type */
  generic: ReadonlyMap<string, readonly GenericRule[]>;
  /** types with rules for single records */
  linked: ReadonlySet<string>;
  /** templates with rules: "task_template 7" */
  templates: ReadonlySet<string>;
};

export const linkedTypes = ["request", "task", "workflow", "project_task"];
const templateTypes = ["request_template", "task_template", "workflow_template", "project_task_template"];

const selectAccountRules = statement(
  `SELECT
  (SELECT json_agg(json_build_array(generic, id, trigger, coalesce(position, 2147483647), app_instance_id IS NOT NULL)) FROM automation_rules
    WHERE account_id = $1 AND generic IS NOT NULL AND NOT disabled),
  (SELECT json_agg(DISTINCT word) FROM automation_rules, LATERAL (VALUES ${templateTypes.map((name) => `('${name} ' || ${name}_id)`).join(", ")}) AS t (word)
    WHERE account_id = $1 AND word IS NOT NULL),
  ${linkedTypes.map((name) => `EXISTS (SELECT 1 FROM automation_rules WHERE account_id = $1 AND ${name}_id IS NOT NULL)`).join(",\n  ")}`,
);
const channel = "automation_changed";
const notifyChange = statement(`SELECT pg_notify('${channel}', $1)`);

export class RuleCache {
  private readonly cached = new WeakMap<Database, Map<string, Promise<AccountRules>>>();
  private readonly listener: PgListener;

  constructor(database: Database, listener: PgListener) {
    this.listener = listener;
    const accounts = this.accountsIn(database);
    listener.subscribe(channel, (account) => (account === null ? accounts.clear() : void accounts.delete(account)));
  }

  private accountsIn(database: Database): Map<string, Promise<AccountRules>> {
    const accounts = this.cached.get(database) ?? new Map<string, Promise<AccountRules>>();
    this.cached.set(database, accounts);
    return accounts;
  }

  get({ database }: Transaction, account: string): Promise<AccountRules> {
    const accounts = this.accountsIn(database);
    const cached = accounts.get(account);
    if (cached !== undefined) return cached;
    const loading = this.load(database, account);
    // Without a connection for NOTIFY an entry would never be invalidated.
    if (this.listener.isConnected || database.isSingleTransaction) {
      accounts.set(account, loading);
      loading.catch(() => accounts.delete(account));
    }
    return loading;
  }

  /** Called in the transaction that changes a rule of the account. */
  invalidate(tx: Transaction, account: string): void {
    const remove = () => void this.accountsIn(tx.database).delete(account);
    remove();
    tx.send(notifyChange, [account]);
    tx.afterCommit(remove);
  }

  private async load(database: Database, account: string): Promise<AccountRules> {
    const [row] = await database.read(selectAccountRules, [account]);
    const generic = new Map<string, GenericRule[]>();
    type Line = [type: string, id: number, trigger: string, position: number, ofApp: boolean];
    for (const [type, id, trigger, position, ofApp] of JSON.parse(row?.[0] ?? "[]") as Line[])
      generic.set(type, [...(generic.get(type) ?? []), { id, trigger, position, ofApp }]);
    return {
      generic,
      templates: new Set(JSON.parse(row?.[1] ?? "[]") as string[]),
      linked: new Set(linkedTypes.filter((_, index) => row?.[index + 2] === "t")),
    };
  }
}
