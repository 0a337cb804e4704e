import { Invalid } from "../../base/errors.ts";
import type { Account } from "../../engine/caller.ts";
import { create } from "../../engine/create.ts";
import type { Engine } from "../../engine/engine.ts";
import { link } from "../../engine/links.ts";
import type { Type } from "../../engine/types.ts";
import { update } from "../../engine/update.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { createAccount } from "../create-account.ts";
import { grantRoles } from "../grant-roles.ts";
import { systemCaller } from "../system-caller.ts";
import type { DemoAccount } from "./accounts.ts";
import type { Moment, Roles, Row, Table } from "./table.ts";

// Lets the engine create what the tables say, in their order. A reference to a row that is not there yet is set at the
// end, when every row is.

const source = "Steward demo";
const trust = statement(
  "INSERT INTO account_trusts (account_id, trusted_account_id, status, created_at) VALUES ($1, $2, 'accepted', $3)",
);

type Place = { id: number; account: Account };

export class Loading {
  private readonly engine: Engine;
  private readonly tx: Transaction;
  private readonly now: Date;
  private readonly accounts = new Map<string, Account>();
  /** "team desk" to where that record is */
  private readonly places = new Map<string, Place>();
  private readonly links: (() => Promise<void>)[] = [];
  private readonly changes: (() => Promise<void>)[] = [];

  constructor(engine: Engine, tx: Transaction) {
    this.engine = engine;
    this.tx = tx;
    this.now = engine.clock.now();
  }

  async openAccounts(list: readonly DemoAccount[]): Promise<void> {
    for (const { id, directory, fields, created } of list) {
      const now = this.moment(created);
      const account = await createAccount(this.engineAt(now), this.tx, { id, directory, fields }, source, now);
      this.accounts.set(id, account);
      if (directory === undefined)
        this.places.set(`organization ${id}`, { id: account.organization as number, account });
    }
    for (const { id, trusts } of list)
      for (const other of trusts) this.tx.send(trust, [id, other, this.now.toISOString()]);
  }

  async addTable(table: Table): Promise<void> {
    for (const [name, row] of Object.entries(table.rows))
      await this.addRow(table, name, row).catch((error) => {
        const problems = error instanceof Invalid ? JSON.stringify(error.problems) : String(error);
        throw new Error(`${table.type} "${name}" of the demo company: ${problems}`, { cause: error });
      });
  }

  /** Links first: a coordinator has to be a member, and what is disabled cannot be chosen any more. */
  async finish(): Promise<void> {
    for (const step of [...this.links, ...this.changes]) await step();
  }

  private async addRow(table: Table, name: string, row: Row): Promise<void> {
    const { in: at = table.in, created = table.created, roles, ...members } = row;
    const type = this.engine.types.named(table.type);
    const known = this.places.get(`${type.name} ${name}`);
    const account = known?.account ?? this.account(String(at));
    const now = this.moment(created as Moment);
    const { ready, waiting } = this.sorted(type, members, [...(table.later ?? []), "disabled"]);
    const engine = this.engineAt(now);
    const by = systemCaller(account, source, now);
    const body = { members: ready, strict: true };
    const { id } = await (known === undefined
      ? create(engine, by, type, body)
      : update(engine, by, type, known.id, body));
    this.places.set(`${type.name} ${name}`, { id, account });

    for (const [collection, { of }] of Object.entries(type.children))
      for (const child of (members[collection] ?? []) as readonly Row[]) {
        const childType = this.engine.types.named(of);
        const body = { members: this.whole(childType, child), strict: true };
        const saved = await create(engine, by, childType, body, { fixed: { [type.name]: id }, account: account.id });
        this.places.set(`${of} ${name}/${child[childType.display]}`, { id: saved.id, account });
      }
    for (const [at, held] of Object.entries((roles ?? {}) as Roles))
      await grantRoles(engine, this.tx, systemCaller(this.account(at), source, now), id, at, held);
    for (const [links, { to }] of Object.entries(type.links))
      for (const other of (members[links] ?? []) as readonly string[])
        this.links.push(() => link(engine, by, type, id, links, this.place(to, other).id));
    if (Object.keys(waiting).length > 0)
      this.changes.push(async () => {
        await update(engine, by, type, id, { members: this.whole(type, waiting), strict: true });
      });
  }

  /** The members of a row that the engine can have now, references as ids, and those that have to wait. */
  private sorted(type: Type, members: Row, later: readonly string[]): { ready: Record<string, unknown>; waiting: Row } {
    const ready: Record<string, unknown> = {};
    const waiting: Record<string, Row[string]> = {};
    for (const [name, value] of Object.entries(members)) {
      if (name in type.children || name in type.links || value === undefined) continue;
      const field = type.fields[name];
      if (later.includes(name)) waiting[name] = value;
      else if (field?.kind === "reference" && value !== null) {
        const place = this.places.get(`${field.to} ${value}`);
        if (place === undefined) waiting[name] = value;
        else ready[name] = place.id;
      } else if (field?.kind === "references")
        ready[name] = (value as readonly string[]).map((other) => this.place(field.to, other).id);
      else if (field?.kind === "datetime" || field?.kind === "target")
        ready[name] = typeof value === "object" && value !== null ? this.moment(value as Moment).toISOString() : value;
      else ready[name] = value;
    }
    return { ready, waiting };
  }

  private whole(type: Type, members: Row): Record<string, unknown> {
    const { ready, waiting } = this.sorted(type, members, []);
    const [missing] = Object.entries(waiting);
    if (missing !== undefined)
      throw new Error(`A ${type.name} names a ${missing[0]} that is not there: ${missing[1]}.`);
    return ready;
  }

  private place(type: string, name: string): Place {
    const place = this.places.get(`${type} ${name}`);
    if (place === undefined) throw new Error(`There is no ${type} "${name}" in the tables.`);
    return place;
  }

  private account(id: string): Account {
    const account = this.accounts.get(id);
    if (account === undefined) throw new Error(`There is no account "${id}" in the tables.`);
    return account;
  }

  /** The audit trail tells the time of the engine's clock: that of the row. */
  private engineAt(now: Date): Engine {
    return { ...this.engine, clock: { now: () => now } };
  }

  private moment({ days, hour }: Moment): Date {
    const day = new Date(this.now.getTime() + days * 86_400_000);
    day.setUTCHours(hour, 0, 0, 0);
    return days <= 0 && day > this.now ? this.now : day;
  }
}
