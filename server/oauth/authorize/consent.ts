import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { addSeconds, type Oauth } from "../oauth-context.ts";
import type { Scope } from "../scopes/scopes.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { createToken, hashToken } from "../tokens.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { buildCodeRedirect, buildErrorRedirect } from "./redirect.ts";

// The person allows or denies an authorization request before a code is issued, unless an earlier consent covers it.

const codeSeconds = 600;
/** long enough to sign in and to read the prompt */
const decisionSeconds = 1800;

const insertRequest = statement(
  `INSERT INTO oauth_requests (account_id, secret_hash, client_id, redirect_uri, state, code_challenge, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Stores a valid request until the person decides; returns the one-time token of the prompt page. */
export async function storeAuthorizationRequest(oauth: Oauth, request: AuthorizationRequest): Promise<string> {
  const token = createToken();
  const { account, client, redirect_uri, state, challenge } = request;
  const expiry = addSeconds(oauth.clock.now(), decisionSeconds);
  await oauth.database.change(insertRequest, [
    account,
    hashToken(token),
    client,
    redirect_uri,
    state,
    challenge,
    expiry,
  ]);
  return token;
}

export type PendingAuthorization = AuthorizationRequest & {
  id: number;
  name: string;
  description: string | null;
  homepage_url: string | null;
  scopes: Scope[];
};

const buildPendingStatement = (source: string, lock = "") =>
  jsonStatement<PendingAuthorization>(
    `SELECT r.id, r.redirect_uri, r.state, r.code_challenge AS challenge, c.id AS client, a.id AS application, a.account_id AS account,
  a.name, a.description, a.homepage_url, a.scopes
FROM ${source} r JOIN oauth_clients c ON c.id = r.client_id JOIN oauth_applications a ON a.id = c.application_id
WHERE NOT c.disabled AND NOT a.disabled AND r.redirect_uri = ANY(a.endpoints) ${lock}`,
  );
const selectByToken = buildPendingStatement(
  "(SELECT * FROM oauth_requests WHERE secret_hash = $1 AND expires_at > $2)",
);
const lockById = buildPendingStatement("(SELECT * FROM oauth_requests WHERE id = $1)", "FOR SHARE OF c, a");
// Only the transaction that deletes the request decides it: a prompt is answered once.
const deleteRequest = jsonStatement<{ id: number }>("DELETE FROM oauth_requests WHERE id = $1 RETURNING id");

export const loadPendingAuthorization = (oauth: Oauth, token: string): Promise<PendingAuthorization | null> =>
  queryFirst(oauth.database, selectByToken, [hashToken(token), oauth.clock.now().toISOString()]);

const upsertAuthorization = jsonStatement<{ id: number }>(
  `INSERT INTO oauth_authorizations (account_id, person_id, application_id, scopes, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (person_id, application_id) DO UPDATE SET scopes = excluded.scopes, created_at = excluded.created_at RETURNING id`,
);
const selectAuthorization = jsonStatement<{ id: number }>(
  `SELECT z.id FROM oauth_authorizations z JOIN oauth_applications a ON a.id = z.application_id
WHERE z.person_id = $1 AND z.application_id = $2 AND z.scopes = a.scopes FOR SHARE OF z, a`,
);
const insertCode = statement(
  `INSERT INTO oauth_codes (account_id, secret_hash, client_id, authorization_id, person_id, redirect_uri, code_challenge, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

function issueCode(
  oauth: Oauth,
  tx: Transaction,
  request: AuthorizationRequest,
  authorization: number,
  person: number,
) {
  const code = createToken();
  const { account, client, redirect_uri, challenge } = request;
  const expiry = addSeconds(oauth.clock.now(), codeSeconds);
  tx.send(insertCode, [account, hashToken(code), client, authorization, person, redirect_uri, challenge, expiry]);
  return buildCodeRedirect(request, code);
}

/** The redirect with a code when the person has consented to the same scopes before; null otherwise. */
export const authorizeWithoutPrompt = (
  oauth: Oauth,
  request: AuthorizationRequest,
  person: number,
): Promise<string | null> =>
  oauth.database.transaction(async (tx) => {
    const authorization = await queryFirst(tx, selectAuthorization, [person, request.application]);
    return authorization === null ? null : issueCode(oauth, tx, request, authorization.id, person);
  });

/** Identifies the content of the prompt: if the application changes meanwhile, the person is asked again. */
export const fingerprint = (request: PendingAuthorization): string =>
  hashToken(JSON.stringify([request.application, request.scopes]));

type Decider = { person: number; address: string };

/** Null when the request is decided already, or differs from what the prompt showed. */
export const allowAuthorization = (
  oauth: Oauth,
  { id }: PendingAuthorization,
  shownFingerprint: string,
  by: Decider,
): Promise<string | null> =>
  oauth.database.transaction(async (tx) => {
    const request = await queryFirst(tx, lockById, [id]);
    if (request === null || fingerprint(request) !== shownFingerprint) return null;
    if ((await queryFirst(tx, deleteRequest, [id])) === null) return null;
    const now = oauth.clock.now().toISOString();
    const { account, application, scopes, name } = request;
    const authorization = await queryFirst(tx, upsertAuthorization, [
      account,
      by.person,
      application,
      JSON.stringify(scopes),
      now,
    ]);
    recordSecurityEvent(tx, now, {
      account,
      person: by.person,
      event: "authorization-given",
      address: by.address,
      details: { application, name },
    });
    return issueCode(oauth, tx, request, authorization?.id as number, by.person);
  });

export const denyAuthorization = (oauth: Oauth, request: PendingAuthorization, by: Decider): Promise<string | null> =>
  oauth.database.transaction(async (tx) => {
    if ((await queryFirst(tx, deleteRequest, [request.id])) === null) return null;
    const { account, application, name } = request;
    const details = { application, name };
    const now = oauth.clock.now().toISOString();
    recordSecurityEvent(tx, now, {
      account,
      person: by.person,
      event: "authorization-denied",
      address: by.address,
      details,
    });
    return buildErrorRedirect(request, "access_denied", "The person denied access.");
  });
