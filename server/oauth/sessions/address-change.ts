import { getMailTexts } from "../../../records/notifications/index.ts";
import { administrators } from "../../../records/people/roles.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";

// D-781: a person whose email address changes is notified at the old one, because the new one can be that of an attacker.

type AddressChange = { person: number; before: string; after: string; suppressMail: boolean };
type Owner = { name: string; locale: string | null; account: string; account_name: string; is_administrator: boolean };

// Only of people who can sign in: for all others the address is a contact like any other.
const selectOwner = jsonStatement<Owner>(
  `SELECT p.name, p.locale, p.account_id AS account, a.name AS account_name,
  EXISTS (SELECT 1 FROM permissions r WHERE r.person_id = p.id AND r.role = ANY($2::text[])) AS is_administrator
FROM people p JOIN accounts a ON a.id = p.account_id WHERE p.id = $1 AND NOT p.disabled AND p.life_cycle = 'active'
  AND (EXISTS (SELECT 1 FROM passwords w WHERE w.person_id = p.id) OR EXISTS (SELECT 1 FROM passkeys k WHERE k.person_id = p.id)
    OR EXISTS (SELECT 1 FROM identity_links l WHERE l.person_id = p.id))`,
);
const deleteResets = statement("DELETE FROM password_resets WHERE person_id = $1");

/** In the transaction of the change. Links that were sent to the old address stop working. */
export async function handleAddressChange(
  tx: Transaction,
  now: Date,
  { person, before, after, suppressMail }: AddressChange,
): Promise<void> {
  tx.send(deleteResets, [person]);
  const owner = await queryFirst(tx, selectOwner, [person, administrators]);
  if (owner === null || (suppressMail && !owner.is_administrator)) return;
  const { name, locale, account, account_name } = owner;
  const { title, greeting, text, advice } = getMailTexts(locale ?? "en").addressChange;
  const values: Record<string, string> = { name, account: account_name, email: after };
  const body = [greeting, text, advice].join("\n\n").replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
  addJob(tx, await storeMail(tx, now, { account, recipient: before, subject: title, body }));
}
