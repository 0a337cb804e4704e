import { ianaOf } from "../base/time-zones.ts";
import {
  accountColumns,
  accountOf,
  type Caller,
  callerAs,
  type Person,
  personColumns,
  personOf,
} from "../engine/caller.ts";
import type { Values } from "../engine/rules.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { Failure } from "./language/problem.ts";

// In whose name a rule acts, and with whose rights: reference, automation.md X5.

const oneAccount = statement(`SELECT ${accountColumns}, owner_id FROM accounts WHERE id = $1`);
const onePerson = statement(
  `SELECT ${personColumns} FROM people p WHERE p.id = $1 AND NOT p.disabled AND p.life_cycle = 'active'`,
);
/** whose manager stands behind the rules on them */
const managed = ["task", "workflow", "project_task"];
const everything: ReadonlySet<string> = new Set(["account_administrator"]);

type Acting = {
  account: string;
  type: string;
  /** the record, as it is */
  values: Values;
  rule: { id: number; name: string };
  ofApp: boolean;
  now: Date;
};

export async function actingFor(tx: Transaction, { account, type, values, rule, ofApp, now }: Acting): Promise<Caller> {
  const [row] = await tx.query(oneAccount, [account]);
  if (row === undefined) throw new Failure("permission", "the account is gone");
  const accountRecord = accountOf(row);
  const owner = row.at(-1) == null ? null : Number(row.at(-1));
  const manager = managed.includes(type) && !ofApp ? (values.manager as number | null) : null;
  const found = (await personNamed(tx, manager)) ?? (await personNamed(tx, owner));
  if (found === null) throw new Failure("permission", "the account has no owner in whose name the rule could act");
  // What an app may do in the account does not depend on who owns it.
  const me: Person = ofApp ? { ...found, roles: new Map([...found.roles, [account, everything]]) } : found;
  const acting = { zone: ianaOf(accountRecord.time_zone), now, source: "Automation rule" };
  return { ...(await callerAs(tx, me, accountRecord, acting)), rule };
}

async function personNamed(tx: Transaction, id: number | null): Promise<Person | null> {
  if (id === null) return null;
  const [row] = await tx.query(onePerson, [id]);
  return row === undefined ? null : personOf(row);
}
