import { type Database, statement, type Transaction } from "../storage/database.ts";
import type { PgListener } from "../storage/notices.ts";

// Which rules an account has, as far as every save must know: kept in memory, so that a save that concerns no rule costs
// nothing. Forgotten when a rule changes, by whatever process.

export type Generic = { id: number; trigger: string; position: number; ofApp: boolean };
export type InForce = {
  /** enabled rules for all records of a type */
  generic: ReadonlyMap<string, readonly Generic[]>;
  /** types of which single records have rules */
  linked: ReadonlySet<string>;
  /** templates that have rules: "task_template 7" */
  templates: ReadonlySet<string>;
};

export const linkedTypes = ["request", "task", "workflow", "project_task"];
const templates = ["request_template", "task_template", "workflow_template", "project_task_template"];

const load = statement(
  `SELECT
  (SELECT json_agg(json_build_array(generic, id, trigger, coalesce(position, 2147483647), app_instance_id IS NOT NULL)) FROM automation_rules
    WHERE account_id = $1 AND generic IS NOT NULL AND NOT disabled),
  (SELECT json_agg(DISTINCT word) FROM automation_rules, LATERAL (VALUES ${templates.map((name) => `('${name} ' || ${name}_id)`).join(", ")}) AS t (word)
    WHERE account_id = $1 AND word IS NOT NULL),
  ${linkedTypes.map((name) => `EXISTS (SELECT 1 FROM automation_rules WHERE account_id = $1 AND ${name}_id IS NOT NULL)`).join(",\n  ")}`,
);
const channel = "automation_changed";
const tell = statement(`SELECT pg_notify('${channel}', $1)`);

export class RulesInForce {
  private readonly known = new WeakMap<Database, Map<string, Promise<InForce>>>();
  private readonly notices: PgListener;

  constructor(database: Database, notices: PgListener) {
    this.notices = notices;
    const known = this.in(database);
    notices.subscribe(channel, (account) => (account === null ? known.clear() : void known.delete(account)));
  }

  private in(database: Database): Map<string, Promise<InForce>> {
    const known = this.known.get(database) ?? new Map<string, Promise<InForce>>();
    this.known.set(database, known);
    return known;
  }

  of({ database }: Transaction, account: string): Promise<InForce> {
    const all = this.in(database);
    const known = all.get(account);
    if (known !== undefined) return known;
    const loading = this.load(database, account);
    if (this.notices.isConnected || database.isSingleTransaction) {
      all.set(account, loading);
      loading.catch(() => all.delete(account));
    }
    return loading;
  }

  /** In the transaction that changes a rule of the account. */
  changed(tx: Transaction, account: string): void {
    const forget = () => void this.in(tx.database).delete(account);
    forget();
    tx.send(tell, [account]);
    tx.afterCommit(forget);
  }

  private async load(database: Database, account: string): Promise<InForce> {
    const [row] = await database.read(load, [account]);
    const generic = new Map<string, Generic[]>();
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
