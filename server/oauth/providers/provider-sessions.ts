import { sealText, unsealText } from "../../base/sealed-text.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { addSeconds, changeAccess, type Oauth } from "../oauth-context.ts";
import { requireSignInAllowed } from "../policy/sign-in-admission.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { beginSession, type Visitor } from "../sessions/sessions.ts";
import { hashToken } from "../tokens.ts";
import type { ProviderClaims } from "./sign-in-flow.ts";

// Sessions that began with a provider. They are shorter than others: the provider remembers the person, and a person
// disabled there must not keep working for a month.

const maxSeconds = 12 * 3600;
const idleSeconds = 2 * 3600;

/** The result of a finished flow, for the steps until the session begins. */
export type ProviderProof = Pick<ProviderClaims, "issuer" | "subject" | "idToken" | "sid" | "acr" | "amr"> & {
  provider: number;
  /** the pair of issuer and subject is stored with the session */
  isNewLink: boolean;
};

const proofPurpose = "proof of a provider sign-in";
const tokenPurpose = "ID token of a session";

/** Sealed for the person, so that it is useless to others. */
export const sealProof = (oauth: Oauth, person: number, proof: ProviderProof): string =>
  sealText(oauth.secret, proofPurpose, String(person), JSON.stringify(proof));
const unsealProof = (oauth: Oauth, person: number, text: string): ProviderProof =>
  JSON.parse(unsealText(oauth.secret, proofPurpose, String(person), text)) as ProviderProof;

const insertLink = jsonStatement<{ person_id: number }>(
  `INSERT INTO identity_links (account_id, provider_id, person_id, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (account_id, issuer, subject) DO UPDATE SET last_used_at = identity_links.last_used_at RETURNING person_id`,
);
const touchLink = statement(
  "UPDATE identity_links SET last_used_at = $4 WHERE account_id = $1 AND issuer = $2 AND subject = $3",
);
const insertSession = statement(
  `INSERT INTO provider_sessions (session_id, account_id, provider_id, subject, sid, sealed_token, methods)
SELECT id, $2, $3, $4, $5, $6, $7 FROM sessions WHERE secret_hash = $1`,
);
const shortenSession = statement(
  "UPDATE sessions SET expires_at = least(expires_at, $2), idle_expires_at = least(idle_expires_at, $3) WHERE secret_hash = $1",
);

/** Begins a session; returns its secret for the cookie. Null: another person was linked to the subject in the meantime. */
export async function signInWithProvider(
  oauth: Oauth,
  person: { id: number; account: string },
  sealed: string,
  visitor: Visitor,
  previous: string | null,
): Promise<string | null> {
  const proof = unsealProof(oauth, person.id, sealed);
  const { provider, issuer, subject, sid, idToken, acr, amr } = proof;
  const { account } = person;
  const method = "single_sign_on" as const;
  await requireSignInAllowed(oauth, person, { method, address: visitor.address });
  return changeAccess(oauth, async (tx, now) => {
    if (proof.isNewLink && !(await storeLink(tx, now, person, proof, visitor.address))) return null;
    tx.send(touchLink, [account, issuer, subject, now]);
    const event = { account, person: person.id, event: "sign-in", address: visitor.address } as const;
    recordSecurityEvent(tx, now, { ...event, details: { provider, method } });
    const secret = await beginSession(oauth, tx, person, visitor, { previous, method });
    const hash = hashToken(secret);
    const token = sealText(oauth.secret, tokenPurpose, String(person.id), idToken);
    tx.send(insertSession, [hash, account, provider, subject, sid, token, JSON.stringify({ acr, amr })]);
    const began = oauth.clock.now();
    tx.send(shortenSession, [hash, addSeconds(began, maxSeconds), addSeconds(began, idleSeconds)]);
    return secret;
  });
}

async function storeLink(
  tx: Transaction,
  now: string,
  { id, account }: { id: number; account: string },
  { provider, issuer, subject }: ProviderProof,
  address: string,
): Promise<boolean> {
  const link = await queryFirst(tx, insertLink, [account, provider, id, issuer, subject, now]);
  if (link?.person_id !== id) return false;
  const details = { person: id, provider, subject };
  recordSecurityEvent(tx, now, { account, person: id, event: "identity-linked", details, address });
  return true;
}

export type ProviderSession = { provider: number; idToken: string };

const selectSession = jsonStatement<{ provider_id: number; sealed_token: string | null; person_id: number }>(
  `SELECT x.provider_id, x.sealed_token, s.person_id FROM provider_sessions x JOIN sessions s ON s.id = x.session_id
WHERE x.session_id = $1`,
);

/** The provider with which a session began; null: with none. */
export async function loadProviderSession(oauth: Oauth, session: number): Promise<ProviderSession | null> {
  const row = await queryFirst(oauth.database, selectSession, [session]);
  if (row === null || row.sealed_token === null) return null;
  const idToken = unsealText(oauth.secret, tokenPurpose, String(row.person_id), row.sealed_token);
  return { provider: row.provider_id, idToken };
}

const deleteSessions = jsonStatement<{ id: number; account_id: string; person_id: number }>(
  `DELETE FROM sessions s USING provider_sessions x WHERE x.session_id = s.id AND x.provider_id = ANY($1::integer[])
  AND ($2::text IS NULL OR x.subject = $2) AND ($3::text IS NULL OR x.sid = $3) RETURNING s.id, s.account_id, s.person_id`,
);

/** Ends what the provider says has ended: one session, or all of a subject. Returns how many there were. */
export function endProviderSessions(
  oauth: Oauth,
  providers: readonly number[],
  { subject, sid }: { subject: string | null; sid: string | null },
  address: string,
): Promise<number> {
  return changeAccess(oauth, async (tx, now) => {
    const ended = await queryRows(tx, deleteSessions, [providers, subject, sid]);
    for (const { id, account_id: account, person_id: person } of ended)
      recordSecurityEvent(tx, now, {
        ...{ account, person, event: "session-ended" as const, address },
        details: { session: id, by: "provider" },
      });
    return ended.length;
  });
}
