import { administrators } from "../../../records/people/roles.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { getDomain, type IdentityProvider, type MappedField } from "./identity-provider.ts";
import { type ProviderClaims, SignInRefused } from "./sign-in-flow.ts";

// Finds the person of a provider's subject in that provider's account, never in another one. The first sign-in finds the person
// by a claim; from then on issuer and subject count, because an email address can get another owner (D-543).

/** `link`: "new" is stored with the session, "password" first needs the person's password */
export type PersonFound = { id: number; email: string; link: "stored" | "new" | "password" };

type PersonRow = { id: number; email: string; is_active: boolean; roles: readonly string[] };

const personColumns = `p.id, p.primary_email AS email, (NOT p.disabled AND p.life_cycle = 'active') AS is_active,
  (SELECT coalesce(json_agg(r.role), '[]') FROM permissions r WHERE r.person_id = p.id) AS roles`;
const selectByLink = jsonStatement<PersonRow>(
  `SELECT ${personColumns} FROM identity_links l JOIN people p ON p.id = l.person_id AND p.account_id = l.account_id
WHERE l.account_id = $1 AND l.issuer = $2 AND l.subject = $3`,
);
const selectByEmail = jsonStatement<PersonRow>(
  `SELECT ${personColumns} FROM people p WHERE p.account_id = $1 AND lower(p.primary_email) = lower($2) ORDER BY p.id LIMIT 2`,
);
const selectByAuthenticationId = jsonStatement<PersonRow>(
  `SELECT ${personColumns} FROM people p WHERE p.account_id = $1 AND p."authenticationID" = $2 ORDER BY p.id LIMIT 2`,
);
const selectOwner = jsonStatement<{ owner_id: number | null }>("SELECT owner_id FROM accounts WHERE id = $1");

const powerful = new Set([...administrators, "account_owner"]);

/** Null: no person in the account; one may be created. Throws SignInRefused. */
export async function findPerson(
  tx: Transaction,
  provider: IdentityProvider,
  found: ProviderClaims,
): Promise<PersonFound | null> {
  const { account_id: account } = provider;
  const { issuer, subject } = found;
  if (!isStorable(subject) || subject.length > 255) throw new SignInRefused("the subject cannot be stored");
  const linked = await queryFirst(tx, selectByLink, [account, issuer, subject]);
  if (linked !== null) return { ...requireActive(linked, subject), link: "stored" };
  const [person, other] = await findByClaim(tx, provider, found);
  if (person === undefined) return null;
  if (other !== undefined) throw new SignInRefused("several people have this identifier", subject);
  requireActive(person, subject);
  const owner = await queryFirst(tx, selectOwner, [account]);
  // A provider must not be able to become an administrator by naming an address.
  const isPowerful = owner?.owner_id === person.id || person.roles.some((role) => powerful.has(role));
  return { ...person, link: isPowerful ? "password" : "new" };
}

function requireActive(person: PersonRow, subject: string): PersonRow {
  if (!person.is_active) throw new SignInRefused("the person is disabled", subject);
  return person;
}

function findByClaim(tx: Transaction, provider: IdentityProvider, found: ProviderClaims): Promise<PersonRow[]> {
  if (provider.settings.identifier === "email")
    return queryRows(tx, selectByEmail, [provider.account_id, requireEmail(provider, found)]);
  const value = found.claims[provider.settings.identifier_claim];
  if (typeof value !== "string" || value.trim() === "" || value.length > 128 || !isStorable(value))
    throw new SignInRefused(`the claim ${provider.settings.identifier_claim} is missing`, found.subject);
  return queryRows(tx, selectByAuthenticationId, [provider.account_id, value]);
}

/** The value of a claim as the mapping of the provider names it. */
export function pickClaim(provider: IdentityProvider, { claims }: ProviderClaims, field: MappedField): string | null {
  // A provider that was set up before there was such a mapping has none.
  const name = provider.settings.claims[field] ?? "";
  const value = name === "" || !Object.hasOwn(claims, name) ? null : claims[name];
  return typeof value === "string" && value.trim() !== "" && isStorable(value) ? value.trim() : null;
}

/** The address of the person, which counts only when the provider vouches for it and its domain is allowed. */
export function requireEmail(provider: IdentityProvider, found: ProviderClaims): string {
  const email = pickClaim(provider, found, "email");
  if (email === null || email.length > 128 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new SignInRefused("the provider sent no email address", found.subject);
  const verified = found.claims.email_verified;
  if (verified === false || verified === "false")
    throw new SignInRefused("the email address is not verified", found.subject);
  if (!provider.domains.includes(getDomain(email)))
    throw new SignInRefused("the email domain is not allowed", found.subject);
  return email;
}
