import { enumerations } from "../../../records/enumerations/index.ts";
import { Invalid } from "../../base/errors.ts";
import { pickZoneName } from "../../base/time-zones.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseFirstId } from "../../database/rows.ts";
import { type Caller, loadAccount } from "../../engine/caller.ts";
import { createUnchecked } from "../../engine/change.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { findPerson, type PersonFound, pickClaim, requireEmail } from "./find-person.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { Providers } from "./providers-context.ts";
import { type ProviderClaims, SignInRefused } from "./sign-in-flow.ts";

// Creates a person who signs in for the first time, without roles. Later sign-ins change nothing: SCIM and administrators do.

const selectByName = (table: "organizations" | "sites") =>
  statement(
    `SELECT id FROM ${table} WHERE account_id = ANY($1::text[]) AND name = $2 AND disabled IS NOT TRUE ORDER BY id LIMIT 1`,
  );
const selectOrganization = selectByName("organizations");
const selectSite = selectByName("sites");
const selectManager = statement(
  `SELECT id FROM people WHERE account_id = ANY($1::text[]) AND NOT disabled AND life_cycle = 'active'
  AND (lower(primary_email) = lower($2) OR "authenticationID" = $2) ORDER BY id LIMIT 2`,
);
const lockProvider = statement("SELECT 1 FROM identity_providers WHERE id = $1 FOR UPDATE");

const locales: ReadonlySet<string> = new Set(enumerations.language);

/** Throws SignInRefused when the person cannot be saved. */
export async function createPerson(
  { engine }: Providers,
  tx: Transaction,
  provider: IdentityProvider,
  found: ProviderClaims,
  address: string,
): Promise<PersonFound> {
  const { account_id: account, settings } = provider;
  const email = requireEmail(provider, found);
  // Two first sign-ins at the same moment make one person: the second one finds what the first has created.
  await tx.query(lockProvider, [provider.id]);
  const known = await findPerson(tx, provider, found);
  if (known !== null) return known;
  const now = engine.clock.now();
  const record = await loadAccount(tx, account);
  const accounts = record.directory === null ? [account] : [account, record.directory];
  const findId = async (query: typeof selectSite, name: string | null) =>
    name === null ? null : parseFirstId(await tx.query(query, [accounts, name]));
  const zone = pickClaim(provider, found, "time_zone");
  const locale = pickClaim(provider, found, "locale");
  const organization = await findId(selectOrganization, pickClaim(provider, found, "organization"));
  const values = {
    name: pickName(provider, found) ?? email.slice(0, email.lastIndexOf("@")),
    primary_email: email,
    organization: organization ?? settings.organization_id ?? record.organization,
    site: await findId(selectSite, pickClaim(provider, found, "site")),
    job_title: pickClaim(provider, found, "job_title")?.slice(0, 80) ?? null,
    manager: await findManager(tx, accounts, pickClaim(provider, found, "manager")),
    picture_uri: pickPicture(pickClaim(provider, found, "picture")),
    ...(zone === null ? {} : keep("time_zone", pickZoneName(zone, now))),
    ...(locale !== null && locales.has(locale) ? { locale } : {}),
    ...(settings.identifier === "authenticationID"
      ? { authenticationID: found.claims[settings.identifier_claim] }
      : {}),
  };
  try {
    const by: Caller = {
      ...(await loadServiceCaller(tx, account, now)),
      source: provider.name,
      changeOrigin: { kind: "identity_provider", name: provider.name, address },
    };
    const id = await createUnchecked({ engine, tx, by, type: engine.types.get("person") }, values as never);
    const details = { person: id, provider: provider.id, name: provider.name };
    recordSecurityEvent(tx, now.toISOString(), { account, person: id, event: "person-created", details, address });
    return { id, email, link: "new" };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const problems = error.problems.map(([field, text]) => `${field} ${text}`).join(", ");
    throw new SignInRefused(`the person cannot be created: ${problems}`, found.subject);
  }
}

/** The person in the account whom the provider names by the email address or the authenticationID. */
async function findManager(tx: Transaction, accounts: readonly string[], value: string | null): Promise<number | null> {
  if (value === null || value.length > 128) return null;
  const rows = await tx.query(selectManager, [accounts, value]);
  return rows.length === 1 ? parseFirstId(rows) : null;
}

/** Pages show it from where it is, so it has to be an address that browsers may open. */
const pickPicture = (value: string | null): string | null =>
  value !== null && value.length <= 2000 && /^https:\/\/[^\s"'<>]+$/.test(value) && URL.canParse(value) ? value : null;

const keep = (name: string, value: string | null) => (value === null ? {} : { [name]: value });

function pickName(provider: IdentityProvider, found: ProviderClaims): string | null {
  const parts = ["given_name", "middle_name", "family_name"].map((name) => found.claims[name]);
  const composed = parts.filter((part) => typeof part === "string" && part.trim() !== "" && isStorable(part)).join(" ");
  return (pickClaim(provider, found, "name") ?? (composed === "" ? null : composed))?.slice(0, 128) ?? null;
}
