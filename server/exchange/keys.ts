import { readableAcross } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import type { Type } from "../engine/types.ts";
import type { Transaction } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";

// Reference: import-export.md section 1.4. How a cell names a record of a type: by its name, its e-mail address, its
// label, its reference or its id; a record of another account is followed by ` @` and the id of that account. A record
// that has no name although others of its type do is written `#` and its id.

const byReference = new Set(["product_category", "custom_collection"]);
/** what has no name is known by its id, but for these, whose subject is one */
const bySubject = new Set(["project_template", "project_task_template"]);

/** What names a record in a cell, as SQL text; `r` is its row. */
export function keyOf(type: Type, r: string): string {
  if (type.name === "person") return `${r}.primary_email`;
  if (type.name === "ci") return `CASE WHEN ${r}.software THEN ${r}.name ELSE ${r}.label END`;
  if (byReference.has(type.name)) return `${r}.reference`;
  const isNamed = type.display === "name" || bySubject.has(type.name);
  return isNamed ? `${r}.${quoted(type.display)}` : `${r}.id::text`;
}

const isById = (type: Type): boolean => type.singleton || keyOf(type, "r") === "r.id::text";

/** A key as it stands in the rows of an account: followed by the account when that is another one. */
export const keyWithAccount = (type: Type, r: string, account: string): string =>
  type.singleton || isById(type)
    ? `${r}.id::text`
    : `coalesce(${keyOf(type, r)} || CASE WHEN ${r}.account_id <> ${account} THEN ' @' || ${r}.account_id ELSE '' END, '#' || ${r}.id)`;

const idIn = (text: string) =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647 ? { id: Number(text) } : ("nothing" as const);

/** What a cell names: an id, or why it names none. Asked once per batch of rows. */
export class LookUp {
  private readonly engine: Engine;
  private tx: Transaction;
  private readonly by: Caller;
  private readonly known = new Map<string, { id: number | string }>();

  constructor(engine: Engine, tx: Transaction, by: Caller) {
    this.engine = engine;
    this.tx = tx;
    this.by = by;
  }

  /** The same, asking as part of a transaction. */
  within(part: Transaction): void {
    this.tx = part;
  }

  /** A row that was undone may have been found already. */
  forget(): void {
    this.known.clear();
  }

  async find(type: Type, cell: string): Promise<{ id: number | string } | "nothing" | "several"> {
    const remembered = this.known.get(`${type.name} ${cell}`);
    if (remembered !== undefined) return remembered;
    const found = await this.ask(type, cell);
    if (typeof found === "object") this.known.set(`${type.name} ${cell}`, found);
    return found;
  }

  private async ask(type: Type, cell: string) {
    // Whether there is such a record for the caller is asked when the row is saved.
    if (type.singleton) return { id: cell };
    if (isById(type)) return idIn(cell);
    if (!isStorable(cell)) return "nothing" as const;
    const own = await this.named(type, cell, null);
    if (own === "nothing" && cell.startsWith("#")) return idIn(cell.slice(1));
    const foreign = /^(.*) @([\w-]+)$/s.exec(cell);
    if (own !== "nothing" || foreign === null) return own;
    return this.named(type, foreign[1] as string, foreign[2] as string);
  }

  /** Without an account: that of the call, and only then the others whose records are shared with it. */
  private async named(type: Type, key: string, account: string | null) {
    const { engine, by } = this;
    const visible = readableAcross(type, by, engine.rules);
    const built = engine.statements.get(`${type.name}#key#${visible.key}`, () => {
      let used = 2;
      const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
      // People are found by either case of their address, as at signing in.
      const same =
        type.name === "person"
          ? "lower(a.primary_email) = lower($1)"
          : type.name === "ci"
            ? `(a.label = $1 OR a.name = $1) AND ${keyOf(type, "a")} = $1`
            : `${keyOf(type, "a")} = $1`;
      return `SELECT a.id, a.account_id FROM ${type.table} a WHERE ${same} AND ($2::text IS NULL OR a.account_id = $2) AND ${visible.sql("a", () => `$${++used}`)}${active}`;
    });
    const rows = await this.tx.query(built, [key, account, ...visible.values]);
    const own = rows.filter((row) => row[1] === by.account);
    const meant = account === null && own.length > 0 ? own : rows;
    if (meant.length > 1) return "several" as const;
    return meant[0] === undefined ? ("nothing" as const) : { id: Number(meant[0][0]) };
  }
}
