import { type Row, statement, type Transaction } from "../database/database.ts";
import {
  type Account,
  type Caller,
  listAccountAndDirectory,
  loadCaller,
  type Person,
  parsePerson,
  personColumns,
} from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { parseDmarcVerdict } from "./dmarc.ts";
import { type EffectivePolicy, isPolicySecret } from "./email-policy.ts";
import { type Address, getHeader, type InboundMessage, isAddress } from "./message.ts";

// ML3, ML7: finds the person who wrote a mail; the mail is handled with their permissions.

const maxAddressLength = 128;
const activeInAccounts = "p.account_id = ANY($1::text[]) AND p.life_cycle = 'active'";
const selectByPrimaryEmail = statement(
  `SELECT ${personColumns}, p.disabled FROM people p WHERE ${activeInAccounts} AND lower(p.primary_email) = lower($2)
ORDER BY p.disabled, p.account_id = $3 DESC, p.id LIMIT 1`,
);
const selectByContact = statement(
  `SELECT ${personColumns}, p.disabled FROM people p WHERE ${activeInAccounts} AND p.id IN (SELECT person_id FROM contacts WHERE lower(email) = lower($2))
ORDER BY p.disabled, p.account_id = $3 DESC, p.id LIMIT 2`,
);
const selectPrimaryMatch = statement("SELECT 1 FROM people WHERE id = $1 AND lower(primary_email) = lower($2)");
const selectPersonById = statement(`SELECT ${personColumns} FROM people p WHERE p.id = $1`);

/** The row of the person with an address; its last column is `disabled`. */
async function findPersonRow(tx: Transaction, account: Account, address: string): Promise<Row | null> {
  const accounts = listAccountAndDirectory(account);
  const [primary] = await tx.query(selectByPrimaryEmail, [accounts, address, account.id]);
  const rows = primary === undefined ? await tx.query(selectByContact, [accounts, address, account.id]) : [primary];
  const [row, other] = rows;
  // An address that two people share does not identify the writer.
  return row === undefined || (other !== undefined && other.at(-1) === "f") ? null : row;
}

/** "disabled": the person exists and may not write any more. */
async function findPerson(tx: Transaction, account: Account, address: string): Promise<Person | "disabled" | null> {
  const row = await findPersonRow(tx, account, address);
  return row === null ? null : row.at(-1) === "t" ? "disabled" : parsePerson(row);
}

/** The language of the person at an address, else of the account. */
export async function findLanguage(tx: Transaction, account: Account, address: string): Promise<string> {
  const row = await findPersonRow(tx, account, address);
  return row === null ? account.locale : parsePerson(row).locale;
}

/** `isPrimary`: false where the mail came from another email address of the person */
export type Sender = { by: Caller; address: string; isPrimary: boolean };
export type UnknownSender = { unknown: string; address: string };

const mailSource = { source: "Email", changeOrigin: { kind: "mail" as const } };

/** The writer as a caller in the account of the mail. */
export async function resolveSender(
  engine: Engine,
  tx: Transaction,
  account: Account,
  address: Address,
  policy: EffectivePolicy,
): Promise<Sender | UnknownSender> {
  const now = engine.clock.now();
  const found = await findPerson(tx, account, address.address);
  if (found === "disabled") return { unknown: "the sender is disabled", address: address.address };
  if (found === null && (!policy.create_people || address.address.length > maxAddressLength))
    return { unknown: "unknown sender", address: address.address };
  const person = found ?? (await createPerson(engine, tx, account, address, now));
  const by = await loadCaller(tx, person, account, { zone: person.zone, now, ...mailSource });
  const isPrimary = (await tx.query(selectPrimaryMatch, [person.id, address.address])).length > 0;
  return { by: { ...by, medium: "email" }, address: address.address, isPrimary };
}

async function createPerson(engine: Engine, tx: Transaction, account: Account, { name, address }: Address, now: Date) {
  const by = { ...(await loadServiceCaller(tx, account.id, now)), ...mailSource };
  const id = await createUnchecked(
    { engine, tx, by, type: engine.types.get("person") },
    {
      name: name || address.slice(0, address.lastIndexOf("@")),
      primary_email: address,
      organization: account.organization,
    },
  );
  const [row] = await tx.query(selectPersonById, [id]);
  return parsePerson(row as NonNullable<typeof row>);
}

/** The author named by a program that knows the secret of the policy; null: the sender is the author. */
export function parseTrustedAuthor(
  message: InboundMessage,
  policy: EffectivePolicy,
  trusted: readonly string[],
): Address | null {
  const address = getHeader(message, "x-xurrent-from", "x-4me-from", "x-steward-from");
  const secret = getHeader(message, "x-xurrent-auth", "x-4me-auth", "x-steward-auth");
  if (address === null || secret === null || !policy.allow_from || !isPolicySecret(policy, secret)) return null;
  if (parseDmarcVerdict(message, trusted) !== "pass") return null;
  return parseAddress(address);
}

/** `ann@x.example` or `"Ann" <ann@x.example>`; null: it is neither. */
export function parseAddress(text: string): Address | null {
  const [, name = "", inner] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  const address = (inner ?? text).trim();
  return isAddress(address) ? { name: name.slice(0, 128), address } : null;
}
