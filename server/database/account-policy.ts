import { Invalid, type Problem } from "../base/errors.ts";
import { statement, type Transaction } from "./database.ts";

// A policy is one JSON object per account, in a table of its own with the columns account_id, settings and updated_at. A
// member that was never changed has its default, so a new member needs no migration.

/** True: valid. False: "is not valid". A text says more. */
export type MemberCheck = (value: unknown) => boolean | string;
export type PolicyReader = Pick<Transaction, "query">;
/** old and new value of every member that changed */
export type PolicyChanges = Readonly<Record<string, readonly [unknown, unknown]>>;

export type AccountPolicy<P> = {
  defaults: P;
  load(reader: PolicyReader, account: string): Promise<P>;
  /** of all accounts that have changed theirs */
  loadAll(reader: PolicyReader): Promise<Map<string, P>>;
  /** problems with the members that the caller wants to change */
  findProblems(members: Readonly<Record<string, unknown>>): Problem[];
  /** Members that are not given keep their value. The caller has checked them. */
  save(
    tx: Transaction,
    account: string,
    members: Partial<P>,
    now: string,
  ): Promise<{ after: P; changes: PolicyChanges }>;
};

const lockAccount = statement("SELECT id FROM accounts WHERE id = $1 FOR UPDATE");

export function defineAccountPolicy<P extends object>(
  table: string,
  defaults: P,
  checks: Readonly<Record<keyof P, MemberCheck>>,
): AccountPolicy<P> {
  const selectOne = statement(`SELECT account_id, settings FROM ${table} WHERE account_id = $1`);
  const selectAll = statement(`SELECT account_id, settings FROM ${table}`);
  const upsert = statement(
    `INSERT INTO ${table} (account_id, settings, updated_at) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
  );
  const parse = (settings: unknown): P => ({ ...defaults, ...(JSON.parse(settings as string) as Partial<P>) });
  const load: AccountPolicy<P>["load"] = async (reader, account) => {
    const [row] = await reader.query(selectOne, [account]);
    return row === undefined ? defaults : parse(row[1]);
  };
  return {
    defaults,
    load,
    loadAll: async (reader) =>
      new Map((await reader.query(selectAll, [])).map(([account, settings]) => [account as string, parse(settings)])),
    findProblems(members) {
      const problems: Problem[] = [];
      for (const [name, value] of Object.entries(members)) {
        const check = Object.hasOwn(checks, name) ? checks[name as keyof P] : () => "is unknown";
        const outcome = check(value);
        if (outcome !== true) problems.push([name, outcome === false ? "is not valid" : outcome]);
      }
      return problems;
    },
    async save(tx, account, members, now) {
      // Two administrators who save at the same time change one after the other.
      await tx.query(lockAccount, [account]);
      const before = await load(tx, account);
      const after: P = { ...before, ...members };
      const changed = (Object.keys(after) as (keyof P & string)[]).filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      );
      tx.send(upsert, [account, JSON.stringify(after), now]);
      return { after, changes: Object.fromEntries(changed.map((name) => [name, [before[name], after[name]]])) };
    },
  };
}

export function requireValidMembers(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Invalid(problems);
}

export const isBoolean: MemberCheck = (value) => typeof value === "boolean";

export const isIntegerBetween =
  (least: number, most: number): MemberCheck =>
  (value) =>
    (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) ||
    `must be a whole number from ${least} to ${most}`;

export const isOneOf =
  (...choices: readonly string[]): MemberCheck =>
  (value) =>
    choices.includes(value as string);

/** A list without repetitions. */
export const isListOf =
  (choices: ReadonlySet<string>, { min = 0 }: { min?: number } = {}): MemberCheck =>
  (value) =>
    Array.isArray(value) &&
    value.length >= min &&
    new Set(value).size === value.length &&
    value.every((each) => choices.has(each as string));
