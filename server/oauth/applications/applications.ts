import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { application } from "../../../records/answers/session.ts";
import type { SecurityEvent } from "../../../records/journal/security-events.ts";
import { NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Person } from "../../engine/caller.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { listScopeNames } from "../scopes/scopes.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { type ApplicationValues, parseApplication } from "./application-input.ts";
import { resolveLinkedPerson } from "./linked-person.ts";

// OAuth applications of an account. Callers have checked that the actor is an administrator of the account.

/** Null as person: the command line. */
export type Actor = { person: Person | null; address: string | null };

export type Application = AnswerOf<typeof application>;

const selectApplications = `SELECT a.id, a.name, a.description, a.homepage_url, a.endpoints, a.grant_type, a.scopes, a.disabled,
  CASE WHEN p.id IS NULL THEN NULL ELSE json_build_object('id', p.id, 'name', p.name, 'email', p.primary_email) END AS person,
  (SELECT coalesce(json_agg(json_build_object('id', c.id, 'client_id', c.client_id, 'disabled', c.disabled, 'created_at', c.created_at, 'last_used_at', c.last_used_at) ORDER BY c.id), '[]')
    FROM oauth_clients c WHERE c.application_id = a.id) AS clients,
  a.created_at, a.updated_at
FROM oauth_applications a LEFT JOIN people p ON p.id = a.person_id`;
const selectAll = jsonStatement<Application>(`${selectApplications} WHERE a.account_id = $1 ORDER BY a.name, a.id`);
const selectOne = jsonStatement<Application>(`${selectApplications} WHERE a.account_id = $1 AND a.id = $2`);
const lockApplication = jsonStatement<ApplicationValues & { id: number }>(
  `SELECT id, name, description, homepage_url, endpoints, grant_type, scopes, disabled, person_id
FROM oauth_applications WHERE account_id = $1 AND id = $2 FOR UPDATE`,
);
const insert = jsonStatement<{ id: number }>(
  `INSERT INTO oauth_applications (account_id, name, description, homepage_url, endpoints, grant_type, scopes, disabled, person_id, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING id`,
);
const update = statement(
  `UPDATE oauth_applications SET name = $3, description = $4, homepage_url = $5, endpoints = $6, scopes = $7, disabled = $8, person_id = $9, updated_at = $10
WHERE account_id = $1 AND id = $2`,
);
const dropTokens = statement("DELETE FROM tokens WHERE application_id = $1");
const dropCodes = statement(
  "DELETE FROM oauth_codes WHERE client_id IN (SELECT id FROM oauth_clients WHERE application_id = $1)",
);
const deleteRow = jsonStatement<{ name: string }>(
  "DELETE FROM oauth_applications WHERE account_id = $1 AND id = $2 RETURNING name",
);

export const loadApplications = (oauth: Oauth, account: string): Promise<Application[]> =>
  queryRows(oauth.database, selectAll, [account]);

export async function loadApplication(oauth: Oauth, account: string, id: number): Promise<Application> {
  const found = await queryFirst(oauth.database, selectOne, [account, id]);
  if (found === null) throw new NotFound();
  return found;
}

type ApplicationEvent = {
  account: string;
  actor: Actor;
  event: SecurityEvent;
  details: Record<string, unknown>;
};

export function recordApplicationEvent(
  tx: Transaction,
  now: string,
  { account, actor, event, details }: ApplicationEvent,
): void {
  recordSecurityEvent(tx, now, { account, person: actor.person?.id ?? null, event, address: actor.address, details });
}

async function parseInput(
  oauth: Oauth,
  tx: Transaction,
  { account, actor }: { account: string; actor: Actor },
  input: Readonly<Record<string, unknown>>,
  current: ApplicationValues | null,
): Promise<ApplicationValues> {
  const accounts = await oauth.identities.getAccounts();
  const record = accounts.get(account);
  if (record === undefined) throw new NotFound();
  const context = { names: listScopeNames(oauth.types), accounts: new Set(accounts.keys()) };
  const values = parseApplication(input, current, context);
  if (values.grant_type !== "client_credentials" || (current !== null && !("person" in input))) return values;
  return { ...values, person_id: await resolveLinkedPerson(tx, input.person, record, actor.person) };
}

export const createApplication = (
  oauth: Oauth,
  account: string,
  actor: Actor,
  input: Readonly<Record<string, unknown>>,
): Promise<number> =>
  oauth.database.transaction(async (tx) => {
    const values = await parseInput(oauth, tx, { account, actor }, input, null);
    const now = oauth.clock.now().toISOString();
    const { name, description, homepage_url, endpoints, grant_type, scopes, disabled, person_id } = values;
    const columns = [name, description, homepage_url, endpoints, grant_type, JSON.stringify(scopes), disabled];
    const created = (await queryFirst(tx, insert, [account, ...columns, person_id, now])) as { id: number };
    const details = { application: created.id, name, grant_type, person: person_id };
    recordApplicationEvent(tx, now, { account, actor, event: "application-created", details });
    return created.id;
  });

/** New scopes, a new person and disabling delete all tokens: people authorize again. */
export const changeApplication = (
  oauth: Oauth,
  account: string,
  id: number,
  actor: Actor,
  input: Readonly<Record<string, unknown>>,
): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const current = await queryFirst(tx, lockApplication, [account, id]);
    if (current === null) throw new NotFound();
    const values = await parseInput(oauth, tx, { account, actor }, input, current);
    const { name, description, homepage_url, endpoints, scopes, disabled, person_id } = values;
    const columns = [name, description, homepage_url, endpoints, JSON.stringify(scopes), disabled, person_id];
    tx.send(update, [account, id, ...columns, now]);
    const changed = (Object.keys(values) as (keyof ApplicationValues)[]).filter(
      (field) => JSON.stringify(values[field]) !== JSON.stringify(current[field]),
    );
    if (changed.length === 0) return;
    if (changed.includes("scopes") || changed.includes("person_id") || (changed.includes("disabled") && disabled)) {
      tx.send(dropCodes, [id]);
      tx.send(dropTokens, [id]);
    }
    const details = { application: id, name, changed };
    recordApplicationEvent(tx, now, { account, actor, event: "application-changed", details });
  });

export const deleteApplication = (oauth: Oauth, account: string, id: number, actor: Actor): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const deleted = await queryFirst(tx, deleteRow, [account, id]);
    if (deleted === null) throw new NotFound();
    const details = { application: id, name: deleted.name };
    recordApplicationEvent(tx, now, { account, actor, event: "application-deleted", details });
  });
