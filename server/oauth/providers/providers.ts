import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { identityProvider } from "../../../records/answers/identity-providers.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { sealText } from "../../base/sealed-text.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { buildStartPath, defaultSettings, type IdentityProvider, secretPurpose } from "./identity-provider.ts";
import { checkMembers, type Members, mergeSettings } from "./provider-input.ts";
import { buildCallbackAddress, type Providers } from "./providers-context.ts";

// The identity providers of an account, for its administrators. The client secret is encrypted and never returned.

const columns = `id, account_id, reference, name, issuer, client_id, sealed_secret, domains, settings, enforced, disabled,
  created_at, updated_at`;
const selectAll = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE account_id = $1 ORDER BY id LIMIT 200`,
);
const selectOne = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE account_id = $1 AND id = $2`,
);
const lockOne = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE account_id = $1 AND id = $2 FOR UPDATE`,
);
const selectEnabled = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE account_id = ANY($1::text[]) AND NOT disabled ORDER BY id LIMIT 200`,
);
const selectByReference = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE account_id = $1 AND reference = $2`,
);
const selectById = jsonStatement<IdentityProvider>(`SELECT ${columns} FROM identity_providers WHERE id = $1`);
const selectByDomain = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE $1 = ANY(domains) AND NOT disabled ORDER BY id LIMIT 20`,
);
const selectByIssuer = jsonStatement<IdentityProvider>(
  `SELECT ${columns} FROM identity_providers WHERE issuer = $1 AND NOT disabled ORDER BY id LIMIT 50`,
);
const insert = jsonStatement<IdentityProvider>(
  `INSERT INTO identity_providers (account_id, reference, name, issuer, client_id, sealed_secret, domains, settings, enforced, disabled, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) RETURNING ${columns}`,
);
const update = jsonStatement<IdentityProvider>(
  `UPDATE identity_providers SET reference = $3, name = $4, issuer = $5, client_id = $6, sealed_secret = $7, domains = $8,
  settings = $9, enforced = $10, disabled = $11, updated_at = $12 WHERE account_id = $1 AND id = $2 RETURNING ${columns}`,
);
const remove = statement("DELETE FROM identity_providers WHERE account_id = $1 AND id = $2");
const selectOrganization = statement(
  "SELECT 1 FROM organizations WHERE id = $1 AND account_id = ANY($2::text[]) AND disabled IS NOT TRUE",
);
const maxProviders = 50;

/** The first provider of an account comes first. */
export const loadProviders = (oauth: Pick<Oauth, "database">, account: string): Promise<IdentityProvider[]> =>
  queryRows(oauth.database, selectAll, [account]);
export const loadEnabledProviders = (
  oauth: Pick<Oauth, "database">,
  accounts: readonly string[],
): Promise<IdentityProvider[]> => queryRows(oauth.database, selectEnabled, [accounts]);
export const findProvidersOfDomain = (oauth: Pick<Oauth, "database">, domain: string): Promise<IdentityProvider[]> =>
  queryRows(oauth.database, selectByDomain, [domain.toLowerCase()]);
export const findProvidersOfIssuer = (oauth: Pick<Oauth, "database">, issuer: string): Promise<IdentityProvider[]> =>
  queryRows(oauth.database, selectByIssuer, [issuer]);
export const findProvider = (oauth: Pick<Oauth, "database">, account: string, reference: string) =>
  queryFirst(oauth.database, selectByReference, [account, reference]);
export const findProviderById = (oauth: Pick<Oauth, "database">, id: number) =>
  queryFirst(oauth.database, selectById, [id]);

export async function requireProvider(
  oauth: Pick<Oauth, "database">,
  account: string,
  id: number,
): Promise<IdentityProvider> {
  const provider = await queryFirst(oauth.database, selectOne, [account, id]);
  if (provider === null) throw new NotFound();
  return provider;
}

/** The provider as administrators see it. */
export function describeProvider(providers: Providers, provider: IdentityProvider): AnswerOf<typeof identityProvider> {
  const { id, reference, name, issuer, client_id, sealed_secret, domains, enforced, disabled, settings } = provider;
  return {
    ...{ id, reference, name, issuer, client_id, has_client_secret: sealed_secret !== null, domains: [...domains] },
    ...settings,
    ...{ enforced, disabled },
    start_url: `${providers.origin()}${buildStartPath(provider)}`,
    callback_url: buildCallbackAddress(providers),
    back_channel_logout_url: `${providers.origin()}/sso/back_channel_logout`,
    created_at: provider.created_at,
    updated_at: provider.updated_at,
  };
}

/** `person`: null for the command line */
export type ChangedBy = { account: string; person: number | null; address?: string | null };

export async function createProvider(providers: Providers, by: ChangedBy, members: Members): Promise<IdentityProvider> {
  await checkMembers(providers, members, true);
  const { database, clock } = providers.oauth;
  if ((await loadProviders(providers.oauth, by.account)).length >= maxProviders)
    throw new Invalid([["base", `is limited to ${maxProviders} providers`]]);
  return refuseDuplicates(
    database.transaction(async (tx) => {
      const now = clock.now().toISOString();
      const values = await buildValues(providers, tx, by.account, members, null);
      const provider = (await queryFirst(tx, insert, [by.account, ...values, now])) as IdentityProvider;
      record(tx, now, by, "identity-provider-created", provider, {
        ...describeChange({}, pickShown(provider)),
        ...(provider.sealed_secret === null ? {} : { client_secret: "set" }),
      });
      return provider;
    }),
  );
}

/** Members that are not named keep their value. */
export async function changeProvider(
  providers: Providers,
  by: ChangedBy,
  id: number,
  members: Members,
): Promise<IdentityProvider> {
  await checkMembers(providers, members, false);
  const { database, clock } = providers.oauth;
  return refuseDuplicates(
    database.transaction(async (tx) => {
      const before = await queryFirst(tx, lockOne, [by.account, id]);
      if (before === null) throw new NotFound();
      const now = clock.now().toISOString();
      const values = await buildValues(providers, tx, by.account, members, before);
      const after = (await queryFirst(tx, update, [by.account, id, ...values, now])) as IdentityProvider;
      const details = {
        ...describeChange(pickShown(before), pickShown(after)),
        ...(Object.hasOwn(members, "client_secret") ? { client_secret: after.sealed_secret ? "set" : "removed" } : {}),
      };
      if (Object.keys(details).length > 0) record(tx, now, by, "identity-provider-changed", after, details);
      return after;
    }),
  );
}

export function deleteProvider(oauth: Oauth, by: ChangedBy, id: number): Promise<void> {
  return oauth.database.transaction(async (tx) => {
    const provider = await queryFirst(tx, lockOne, [by.account, id]);
    if (provider === null) throw new NotFound();
    tx.send(remove, [by.account, id]);
    record(tx, oauth.clock.now().toISOString(), by, "identity-provider-deleted", provider, {});
  });
}

async function buildValues(
  providers: Providers,
  tx: Transaction,
  account: string,
  members: Members,
  before: IdentityProvider | null,
) {
  const pick = <T>(name: keyof IdentityProvider, fallback: T): T =>
    (Object.hasOwn(members, name) ? members[name] : (before?.[name] ?? fallback)) as T;
  const settings = mergeSettings({ ...defaultSettings, ...before?.settings }, members);
  const domains = [...new Set(pick<string[]>("domains", []).map((domain) => domain.toLowerCase()))];
  const accounts = await providers.oauth.identities.getAccounts();
  const own = [account, accounts.get(account)?.directory ?? account];
  if (
    settings.organization_id !== null &&
    (await tx.query(selectOrganization, [settings.organization_id, own])).length === 0
  )
    throw new Invalid([["organization_id", "is not valid"]]);
  const secret = members.client_secret as string | null | undefined;
  const sealed =
    secret === undefined
      ? (before?.sealed_secret ?? null)
      : secret === null
        ? null
        : sealText(providers.oauth.secret, secretPurpose, account, secret);
  return [
    ...[pick("reference", ""), pick("name", "").trim(), pick("issuer", ""), pick("client_id", ""), sealed],
    ...[domains, JSON.stringify(settings), pick("enforced", false), pick("disabled", false)],
  ];
}

function pickShown(provider: IdentityProvider): Record<string, unknown> {
  const { reference, name, issuer, client_id, domains, enforced, disabled, settings } = provider;
  return { reference, name, issuer, client_id, domains, enforced, disabled, ...settings };
}

function describeChange(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(names.map((name) => [name, [before[name] ?? null, after[name] ?? null]]));
}

function record(
  tx: Transaction,
  now: string,
  { account, person, address = null }: ChangedBy,
  event: "identity-provider-created" | "identity-provider-changed" | "identity-provider-deleted",
  { id, name }: IdentityProvider,
  changes: Record<string, unknown>,
): void {
  const details = { provider: id, name, ...(Object.keys(changes).length === 0 ? {} : { changes }) };
  recordSecurityEvent(tx, now, { account, person, event, details, address });
}

async function refuseDuplicates<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string }).code === "23505") throw new Invalid([["reference", "has already been taken"]]);
    throw error;
  }
}
