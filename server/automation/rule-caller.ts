import { toIanaZone } from "../base/time-zones.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import {
  buildCaller,
  type Caller,
  type Person,
  parseAccount,
  parsePerson,
  personColumns,
  selectAccount,
} from "../engine/caller.ts";
import type { Values } from "../engine/rules.ts";
import { Failure } from "./language/errors.ts";

// X5: the person whose permissions a rule has.

/** The person $1, or else the owner of the account $2, with the directory of the person's account. */
const selectPerson = statement(
  `SELECT ${personColumns}, (SELECT c.directory_account_id FROM accounts c WHERE c.id = p.account_id) FROM people p
WHERE p.id = coalesce($1::integer, (SELECT c.owner_id FROM accounts c WHERE c.id = $2)) AND NOT p.disabled AND p.life_cycle = 'active'`,
);
/** Rules on these types have the permissions of the manager. */
const typesWithManager = ["task", "workflow", "project_task"];
const administratorRoles: ReadonlySet<string> = new Set(["account_administrator"]);

type RuleCallerInput = {
  account: string;
  type: string;
  /** current values of the record */
  values: Values;
  rule: { id: number; name: string };
  ofApp: boolean;
  now: Date;
};

export async function loadRuleCaller(
  tx: Transaction,
  { account, type, values, rule, ofApp, now }: RuleCallerInput,
): Promise<Caller> {
  const manager = typesWithManager.includes(type) && !ofApp ? (values.manager as number | null) : null;
  const [row, person] = await loadCached(tx, account, manager);
  if (row === undefined) throw new Failure("permission", "the account is gone");
  const accountRecord = parseAccount(row);
  if (person === undefined)
    throw new Failure("permission", "the account has no owner in whose name the rule could act");
  const owner = parsePerson(person);
  const directory = person.at(-1) ?? null;
  // The permissions of an app do not depend on the owner of the account.
  const me: Person = ofApp ? { ...owner, roles: new Map([...owner.roles, [account, administratorRoles]]) } : owner;
  const options = { zone: toIanaZone(accountRecord.time_zone), now, source: "Automation rule" };
  const changeOrigin = { kind: "rule" as const, id: rule.id, name: rule.name };
  return { ...buildCaller(me, directory, accountRecord, { ...options, changeOrigin }), rule };
}

type AccountAndPerson = readonly [account: Row | undefined, person: Row | undefined];
const cachedByTransaction = new WeakMap<Transaction, Map<number | null, Promise<AccountAndPerson>>>();

/** Rules that run in one transaction share the result. */
function loadCached(tx: Transaction, account: string, manager: number | null): Promise<AccountAndPerson> {
  const byManager = cachedByTransaction.get(tx) ?? new Map<number | null, Promise<AccountAndPerson>>();
  cachedByTransaction.set(tx, byManager);
  const loaded = byManager.get(manager) ?? loadAccountAndPerson(tx, account, manager);
  byManager.set(manager, loaded);
  return loaded;
}

async function loadAccountAndPerson(
  tx: Transaction,
  account: string,
  manager: number | null,
): Promise<AccountAndPerson> {
  const [[row], [first]] = await Promise.all([
    tx.query(selectAccount, [account]),
    tx.query(selectPerson, [manager, account]),
  ]);
  if (first !== undefined || manager === null) return [row, first];
  return [row, (await tx.query(selectPerson, [null, account]))[0]];
}
