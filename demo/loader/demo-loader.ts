import { type AccountSource, buildAdministratorCaller } from "../../server/actions/accounts/administrator-caller.ts";
import { createAccount } from "../../server/actions/accounts/create-account.ts";
import { grantRoles } from "../../server/actions/accounts/grant-roles.ts";
import { bindToTransaction } from "../../server/actions/accounts/one-transaction.ts";
import { Invalid } from "../../server/base/errors.ts";
import { statement, type Transaction } from "../../server/database/database.ts";
import { type Account, type Caller, loadAccount } from "../../server/engine/caller.ts";
import { create } from "../../server/engine/create.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { link } from "../../server/engine/links.ts";
import type { Type } from "../../server/engine/types.ts";
import { update } from "../../server/engine/update.ts";
import type { FileStore } from "../../server/files/index.ts";
import { signInPolicies } from "../../server/oauth/policy/policy-members.ts";
import type { AddedJob } from "../../server/queue/jobs.ts";
import type { DemoAccount } from "../data/accounts.ts";
import { networks } from "../data/sites.ts";
import type { CalendarDay, RelativeTime, Roles, Row, Table } from "../data/table.ts";
import { DemoCallers } from "./callers.ts";
import { prepareBulk } from "./lockstep.ts";

// Creates the rows of the tables through the engine, in their order. References to rows that do not exist yet are set at
// the end.

export const source: AccountSource = { source: "Steward demo", changeOrigin: { kind: "sample_data" } };
const insertTrust = statement(
  "INSERT INTO account_trusts (account_id, trusted_account_id, status, created_at) VALUES ($1, $2, 'accepted', $3)",
);

type RecordLocation = { id: number; account: string };
/** The place of the tables' rows: type and short name, id, account. */
export type RecordLocations = readonly (readonly [name: string, id: number, account: string])[];

/** Adds to an error which record of the demo company it is about. */
export async function withErrorContext<T>(subject: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const problems = error instanceof Invalid ? JSON.stringify(error.problems) : String(error);
    throw new Error(`${subject} of the demo company: ${problems}`, { cause: error });
  }
}

/** How many steps run concurrently, and how far the scheduler looks past steps that have to wait. */
const maxConcurrent = 16;
const lookahead = 64;

/** Steps of one lane run one after the other. Steps of different lanes touch different records; one without a lane may touch any. */
export type LoadStep = { lane: string | null; run: () => Promise<void> };

/** Runs the steps of a stack from its end; steps of different lanes run concurrently. A step may add steps. */
export async function runInLanes<T extends LoadStep>(stack: T[], onStart: (step: T) => void = () => {}): Promise<void> {
  const running = new Map<string | null, Promise<void>>();
  const failures: Error[] = [];
  /** The index of the next step that can start now, or -1. No step overtakes one without a lane. */
  const findNext = (): number => {
    if (running.size >= maxConcurrent || running.has(null)) return -1;
    const waiting = new Set<string | null>();
    for (let at = stack.length - 1; at >= Math.max(0, stack.length - lookahead); at--) {
      const { lane } = stack[at] as T;
      if (lane === null) return running.size === 0 && waiting.size === 0 ? at : -1;
      if (!running.has(lane) && !waiting.has(lane)) return at;
      waiting.add(lane);
    }
    return -1;
  };
  while (failures.length === 0) {
    if (stack.length === 0 && running.size === 0) break;
    const index = findNext();
    if (index < 0) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = stack.splice(index, 1) as [T];
    onStart(step);
    const end = step.run().then(
      () => void running.delete(step.lane),
      (error) => {
        running.delete(step.lane);
        failures.push(error as Error);
      },
    );
    running.set(step.lane, end);
  }
  await Promise.all(running.values());
  // A failed statement makes later statements of the transaction fail, too: those errors are not the cause.
  const isCause = ({ cause }: Error) => (cause as { code?: string } | undefined)?.code !== "25P02";
  if (failures.length > 0) throw failures.find(isCause) ?? failures[0];
}

const isWritableList = (type: Type, name: string): boolean =>
  type.fields[name]?.kind === "references" && type.fields[name].access !== "readonly";

/** The target of the load. `files`: those of the company's imports. */
export type DemoTarget = { engine: Engine; files: FileStore };

export class DemoLoader {
  readonly engine: Engine;
  readonly files: FileStore;
  readonly tx: Transaction;
  readonly now: Date;
  private readonly accounts = new Map<string, Account>();
  /** by type and short name, "team desk" */
  private readonly locations = new Map<string, RecordLocation>();
  private readonly links: LoadStep[] = [];
  private readonly changes: LoadStep[] = [];
  private callers: DemoCallers | null = null;

  /** Called for a job that the work adds. */
  onJob: (job: AddedJob) => void = () => {};

  /** Everything is created in the transaction. */
  constructor({ engine, files }: DemoTarget, tx: Transaction) {
    this.tx = prepareBulk(tx, (job) => this.onJob(job));
    this.engine = bindToTransaction(engine, this.tx);
    this.files = files;
    this.now = engine.clock.now();
  }

  async createAccounts(list: readonly DemoAccount[]): Promise<void> {
    for (const { id, directory, fields, created } of list) {
      const now = this.toDate(created);
      const account = await createAccount(this.engineAt(now), this.tx, { id, directory, fields }, source, now);
      this.accounts.set(id, account);
      this.locations.set(`account ${id}`, { id: id as unknown as number, account: id }); // accounts have text ids
      if (directory === undefined)
        this.locations.set(`organization ${id}`, { id: account.organization as number, account: id });
    }
    const named_networks = networks.map((entry) => entry.join(" "));
    for (const { id } of list) await signInPolicies.save(this.tx, id, { named_networks }, this.now.toISOString());
    for (const { id, trusts } of list)
      for (const other of trusts) this.tx.send(insertTrust, [id, other, this.now.toISOString()]);
  }

  listLocations = (): RecordLocations => [...this.locations].map(([name, { id, account }]) => [name, id, account]);

  restoreLocations(list: RecordLocations): void {
    for (const [name, id, account] of list) this.locations.set(name, { id, account });
  }

  /** Accounts and people as they are when the work begins: while they were created, accounts had no trusts yet. */
  async reloadCallers(): Promise<void> {
    for (const id of new Set([...this.locations.values()].map(({ account }) => account)))
      this.accounts.set(id, await loadAccount(this.tx, id));
    this.callers = null;
  }

  async addTable(table: Table): Promise<void> {
    for (const [name, row] of Object.entries(table.rows))
      await withErrorContext(`${table.type} "${name}"`, this.addRow(table, name, row));
  }

  /** Links first: a coordinator has to be a member, and disabled records cannot be linked. */
  async applyPending(): Promise<void> {
    for (const steps of [this.links, this.changes]) await runInLanes(steps.reverse());
  }

  private async addRow(table: Table, name: string, row: Row): Promise<void> {
    const { in: accountId = table.in, created = table.created, by: author = table.by, roles, ...members } = row;
    const type = this.engine.types.get(table.type);
    const known = this.locations.get(`${type.name} ${name}`);
    const account = this.account(known?.account ?? String(accountId));
    const now = this.toDate(created as RelativeTime);
    const { ready, waiting } = this.splitMembers(type, members, [...(table.later ?? []), "disabled"]);
    const engine = this.engineAt(now);
    const system = buildAdministratorCaller(account, source, now);
    const by = author === undefined ? system : await this.getCaller(String(author), account.id, now);
    const body = { members: ready, strict: true, skipResponse: true };
    const { id } = await (known === undefined
      ? create(engine, by, type, body)
      : update(engine, by, type, known.id, body));
    this.locations.set(`${type.name} ${name}`, { id, account: account.id });

    for (const [collection, { of, by: parent = type.name }] of Object.entries(type.children))
      for (const { as, ...child } of (members[collection] ?? []) as readonly Row[]) {
        const childType = this.engine.types.get(of);
        const body = { members: this.resolveMembers(childType, child), strict: true, skipResponse: true };
        const saved = await create(engine, by, childType, body, { fixed: { [parent]: id }, account: account.id });
        this.locations.set(`${of} ${name}/${as ?? child[childType.display]}`, { id: saved.id, account: account.id });
      }
    for (const [at, granted] of Object.entries((roles ?? {}) as Roles)) {
      const administrator = buildAdministratorCaller(this.account(at), source, now);
      await grantRoles(engine, this.tx, administrator, { person: id, account: at, roles: granted });
    }
    for (const [links, { to }] of Object.entries(type.links))
      if (!isWritableList(type, links))
        for (const other of (members[links] ?? []) as readonly string[])
          this.links.push({
            lane: `${type.name} ${name}`,
            run: () => {
              const subject = `${links} of ${type.name} "${name}"`;
              return withErrorContext(subject, link(engine, system, type, id, links, this.getLocation(to, other).id));
            },
          });
    if (Object.keys(waiting).length > 0)
      this.changes.push({
        lane: `${type.name} ${name}`,
        run: async () => {
          const body = { members: this.resolveMembers(type, waiting), strict: true, skipResponse: true };
          await withErrorContext(`${type.name} "${name}"`, update(engine, system, type, id, body));
        },
      });
  }

  /** Splits members into those that can be set now, references as ids, and those that have to wait. */
  private splitMembers(
    type: Type,
    members: Row,
    later: readonly string[],
  ): { ready: Record<string, unknown>; waiting: Row } {
    const ready: Record<string, unknown> = {};
    const waiting: Record<string, Row[string]> = {};
    for (const [name, value] of Object.entries(members)) {
      if (name in type.children || value === undefined) continue;
      if (name in type.links && !isWritableList(type, name)) continue;
      const field = type.fields[name];
      if (later.includes(name)) waiting[name] = value;
      else if (field?.kind === "reference" && value !== null) {
        const location = this.findLocation(field.to, String(value)) ?? this.findLocation(field.or ?? "", String(value));
        if (location === undefined) waiting[name] = value;
        else ready[name] = location.id;
      } else if (field?.kind === "references")
        ready[name] = (value as readonly string[]).map((other) => this.getLocation(field.to, other).id);
      else ready[name] = isTime(value) ? formatForKind(field?.kind, this.toDate(value)) : value;
    }
    return { ready, waiting };
  }

  private resolveMembers(type: Type, members: Row): Record<string, unknown> {
    const { ready, waiting } = this.splitMembers(type, members, []);
    const [missing] = Object.entries(waiting);
    if (missing !== undefined)
      throw new Error(`A ${type.name} names a ${missing[0]} that is not there: ${missing[1]}.`);
    return ready;
  }

  private findLocation = (type: string, name: string): RecordLocation | undefined =>
    this.locations.get(`${type} ${name}`);

  getLocation(type: string, name: string): RecordLocation {
    const location = this.findLocation(type, name);
    if (location === undefined) throw new Error(`There is no ${type} "${name}" in the tables.`);
    return location;
  }

  /** A caller for the person with that short name. */
  getCaller = (person: string, account: string, now: Date): Promise<Caller> =>
    this.getCallerById(this.getLocation("person", person).id, account, now);

  async getCallerById(person: number, account: string, now: Date): Promise<Caller> {
    this.callers ??= await DemoCallers.load(this.tx);
    return this.callers.getCaller(person, this.account(account), now);
  }

  account(id: string): Account {
    const account = this.accounts.get(id);
    if (account === undefined) throw new Error(`There is no account "${id}" in the tables.`);
    return account;
  }

  /** An engine whose clock is set to the time of the row, so that the audit trail shows it. */
  engineAt(now: Date): Engine {
    return { ...this.engine, clock: { now: () => now } };
  }

  toDate(when: RelativeTime | CalendarDay): Date {
    if ("month" in when) return new Date(Date.UTC(this.now.getUTCFullYear() + when.years, when.month - 1, when.day));
    const day = new Date(this.now.getTime() + when.days * 86_400_000);
    day.setUTCHours(when.hour, 0, 0, 0);
    return when.days <= 0 && day > this.now ? this.now : day;
  }
}

const isTime = (value: unknown): value is RelativeTime | CalendarDay =>
  typeof value === "object" && value !== null && ("days" in value || "month" in value);

/** A time in the format of the field kind. */
function formatForKind(kind: string | undefined, moment: Date): string {
  const text = moment.toISOString();
  return kind === "date" ? text.slice(0, 10) : kind === "localDatetime" ? text.slice(0, 19) : text;
}
