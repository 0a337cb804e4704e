import {
  type Account,
  accountColumns,
  parseAccount,
  type Caller,
  loadCaller,
  type Person,
  personColumns,
  parsePerson,
} from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { loadServiceCaller } from "../engine/system.ts";
import { createUnchecked } from "../engine/within.ts";
import { type Row, statement, type Transaction } from "../storage/database.ts";
import { dmarcOf } from "./authentication.ts";
import { type Address, headerNamed, isAddress, type Message } from "./message.ts";
import { isSecret, type PolicyInForce } from "./policy.ts";

// Reference: import-export.md sections 4.3 and 4.7: in whose name a mail is handled.

const longestAddress = 128;
const oneAccount = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);
const here = "p.account_id = ANY($1::text[]) AND p.life_cycle = 'active'";
const byPrimary = statement(
  `SELECT ${personColumns}, p.disabled FROM people p WHERE ${here} AND lower(p.primary_email) = lower($2)
ORDER BY p.disabled, p.account_id = $3 DESC, p.id LIMIT 1`,
);
const byContact = statement(
  `SELECT ${personColumns}, p.disabled FROM people p WHERE ${here} AND p.id IN (SELECT person_id FROM contacts WHERE lower(email) = lower($2))
ORDER BY p.disabled, p.account_id = $3 DESC, p.id LIMIT 2`,
);
const hasAddress = statement("SELECT 1 FROM people WHERE id = $1 AND lower(primary_email) = lower($2)");
const byId = statement(`SELECT ${personColumns} FROM people p WHERE p.id = $1`);

export async function accountOfMail(tx: Transaction, id: string): Promise<Account> {
  const [row] = await tx.query(oneAccount, [id]);
  if (row === undefined) throw new Error(`no account "${id}"`);
  return parseAccount(row);
}

/** The row of the person at an address, and at its end whether they are disabled. */
async function rowAt(tx: Transaction, account: Account, address: string): Promise<Row | null> {
  const accounts = account.directory === null ? [account.id] : [account.id, account.directory];
  const [primary] = await tx.query(byPrimary, [accounts, address, account.id]);
  const found = primary === undefined ? await tx.query(byContact, [accounts, address, account.id]) : [primary];
  const [row, other] = found;
  // An address that two people share says nothing about who wrote.
  return row === undefined || (other !== undefined && other.at(-1) === "f") ? null : row;
}

/** "disabled": somebody who is not to write to us any more. */
async function personAt(tx: Transaction, account: Account, address: string): Promise<Person | "disabled" | null> {
  const row = await rowAt(tx, account, address);
  return row === null ? null : row.at(-1) === "t" ? "disabled" : parsePerson(row);
}

/** The language of the person at an address, else of the account. */
export async function languageAt(tx: Transaction, account: Account, address: string): Promise<string> {
  const row = await rowAt(tx, account, address);
  return row === null ? account.locale : parsePerson(row).locale;
}

/** `isPrimary`: false: one of the further addresses of this person */
export type Sender = { by: Caller; address: string; isPrimary: boolean };
export type Unknown = { unknown: string; address: string };

/** Who wrote, as a caller in the account of the mail. */
export async function senderOf(
  engine: Engine,
  tx: Transaction,
  account: Account,
  address: Address,
  policy: PolicyInForce,
): Promise<Sender | Unknown> {
  const now = engine.clock.now();
  const found = await personAt(tx, account, address.address);
  if (found === "disabled") return { unknown: "the sender is disabled", address: address.address };
  if (found === null && (!policy.create_people || address.address.length > longestAddress))
    return { unknown: "the sender is not known", address: address.address };
  const me = found ?? (await newPerson(engine, tx, account, address, now));
  const by = await loadCaller(tx, me, account, { zone: me.zone, now, source: "Email" });
  const isPrimary = (await tx.query(hasAddress, [me.id, address.address])).length > 0;
  return { by: { ...by, medium: "email" }, address: address.address, isPrimary };
}

async function newPerson(engine: Engine, tx: Transaction, account: Account, { name, address }: Address, now: Date) {
  const service = await loadServiceCaller(tx, account.id, now);
  const id = await createUnchecked(engine, tx, { ...service, source: "Email" }, engine.types.get("person"), {
    name: name || address.slice(0, address.lastIndexOf("@")),
    primary_email: address,
    organization: account.organization,
  });
  const [row] = await tx.query(byId, [id]);
  return parsePerson(row as NonNullable<typeof row>);
}

/** The address that a trusted program names as the author; null: it is the sender's own mail. */
export function replacedSender(message: Message, policy: PolicyInForce, trusted: readonly string[]): Address | null {
  const address = headerNamed(message, "x-xurrent-from", "x-4me-from", "x-steward-from");
  const secret = headerNamed(message, "x-xurrent-auth", "x-4me-auth", "x-steward-auth");
  if (address === null || secret === null || !policy.allow_from || !isSecret(policy, secret)) return null;
  if (dmarcOf(message, trusted) !== "pass") return null;
  return addressIn(address);
}

/** `ann@x.example` or `"Ann" <ann@x.example>`; null: it is neither. */
export function addressIn(text: string): Address | null {
  const [, name = "", inner] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  const address = (inner ?? text).trim();
  return isAddress(address) ? { name: name.slice(0, 128), address } : null;
}
