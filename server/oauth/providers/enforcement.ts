import { statement } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import type { IdentityProvider } from "./identity-provider.ts";

// Accounts that require their provider. Passwords then start no session, except at the emergency page, where
// the owner of the account signs in if the provider is broken. Tokens and applications keep working.

const selectEnforced = jsonStatement<Pick<IdentityProvider, "id" | "account_id" | "reference" | "name">>(
  `SELECT id, account_id, reference, name FROM identity_providers
WHERE account_id = ANY($1::text[]) AND enforced AND NOT disabled ORDER BY id`,
);

/** The providers that people of these accounts must sign in with. */
export const loadEnforcedProviders = (oauth: Pick<Oauth, "database">, accounts: readonly string[]) =>
  queryRows(oauth.database, selectEnforced, [accounts]);

/** Those of the people whose password counts. */
export async function keepPasswordPeople<T extends { account: string }>(
  oauth: Pick<Oauth, "database">,
  people: readonly T[],
): Promise<T[]> {
  const enforced = await loadEnforcedProviders(
    oauth,
    people.map(({ account }) => account),
  );
  const closed = new Set(enforced.map(({ account_id }) => account_id));
  return people.filter(({ account }) => !closed.has(account));
}

const selectOwner = jsonStatement<{ owner_id: number | null; name: string }>(
  "SELECT owner_id, name FROM accounts WHERE id = $1",
);

export const isAccountOwner = async (
  oauth: Pick<Oauth, "database">,
  { id, account }: { id: number; account: string },
): Promise<boolean> => (await queryFirst(oauth.database, selectOwner, [account]))?.owner_id === id;

const selectAdministrators = jsonStatement<{ id: number; email: string; name: string }>(
  `SELECT p.id, p.primary_email AS email, p.name FROM people p WHERE NOT p.disabled AND p.life_cycle = 'active' AND EXISTS (
  SELECT 1 FROM permissions r WHERE r.person_id = p.id AND r.account_id = $1 AND r.role IN ('account_administrator', 'directory_administrator'))
ORDER BY p.id LIMIT 50`,
);
const selectName = statement("SELECT name FROM people WHERE id = $1");

/** Notifies all administrators: the emergency page is only for a broken provider. */
export async function reportEmergencySignIn(
  oauth: Oauth,
  person: { id: number; account: string },
  address: string,
): Promise<void> {
  const { account } = person;
  await oauth.database.transaction(async (tx) => {
    const now = oauth.clock.now();
    const owner = (await tx.query(selectName, [person.id]))[0]?.[0] ?? "";
    const accountName = (await queryFirst(tx, selectOwner, [account]))?.name ?? account;
    for (const { email: recipient, name } of await queryRows(tx, selectAdministrators, [account])) {
      const body = [
        `Hi ${name},`,
        `${owner} signed in to ${accountName} from ${address} with a password, bypassing the identity provider.`,
        "If you didn't expect this, change the account owner's password and check the security log.",
      ].join("\n\n");
      addJob(tx, await storeMail(tx, now, { account, recipient, subject: "Emergency sign-in to your account", body }));
    }
    recordSecurityEvent(tx, now.toISOString(), { account, person: person.id, event: "emergency-sign-in", address });
  });
}
