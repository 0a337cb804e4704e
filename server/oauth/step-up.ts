import { Invalid, type ProofMethod, ProofNeeded, TooManyRequests } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../database/rows.ts";
import type { Identity } from "./identities.ts";
import type { Oauth } from "./oauth-context.ts";
import { requirePassword } from "./passwords/require-password.ts";
import { buildStartPath } from "./providers/identity-provider.ts";
import { checkCode } from "./second-factor/second-factor.ts";
import { recordSecurityEvent } from "./security-trail.ts";
import type { Session } from "./sessions/sessions.ts";

// D-553: before something that outlives the session (a token, an application, a passkey, a provider) people prove again who
// they are, unless they did so some minutes ago. A session that was left open is then not enough.

const recentSeconds = 600;

const selectMeans = jsonStatement<{ password: boolean; code: boolean; passkey: boolean }>(
  `SELECT EXISTS (SELECT 1 FROM passwords WHERE person_id = $1) AS password,
  EXISTS (SELECT 1 FROM second_factors WHERE person_id = $1) AS code,
  EXISTS (SELECT 1 FROM passkeys WHERE person_id = $1) AS passkey`,
);

const selectProviders = jsonStatement<{ account_id: string; reference: string; name: string }>(
  `SELECT DISTINCT v.account_id, v.reference, v.name FROM identity_links l JOIN identity_providers v ON v.id = l.provider_id
WHERE l.person_id = $1 AND NOT v.disabled ORDER BY v.name, v.reference`,
);

type ProofContext = Pick<Oauth, "database" | "identities" | "clock">;

/** How the person can prove who they are; empty: only by signing in again. */
async function loadProofMethods(oauth: ProofContext, { id, account }: { id: number; account: string }) {
  const means = await queryFirst(oauth.database, selectMeans, [id]);
  const { sign_in_methods } = await oauth.identities.getPolicy(account);
  const methods: ProofMethod[] = [];
  if (means?.password && sign_in_methods.includes("password")) methods.push("password");
  if (means?.code) methods.push("code");
  if (means?.passkey) methods.push("passkey");
  return methods;
}

/** Throws unless the person has authenticated recently. */
export async function requireRecentProof(
  oauth: ProofContext,
  { provenAt, person }: Pick<Session, "provenAt" | "person">,
): Promise<void> {
  if (oauth.clock.now().getTime() - provenAt.getTime() < recentSeconds * 1000) return;
  throw await buildRefusal(oauth, person);
}

async function buildRefusal(oauth: ProofContext, person: Session["person"]): Promise<ProofNeeded> {
  const methods = await loadProofMethods(oauth, person);
  const providers = (await queryRows(oauth.database, selectProviders, [person.id])).map((provider) => ({
    name: provider.name,
    address: `${buildStartPath(provider)}?mode=proof`,
  }));
  return new ProofNeeded(providers.length === 0 ? methods : [...methods, "provider"], providers);
}

const selectProof = jsonStatement<{ proven_at: string }>(
  "SELECT coalesce(s.proven_at, s.created_at) AS proven_at FROM tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1",
);

/** The same for a call of the REST API: browsers have a token of their session there, all other tokens need no proof. */
export async function requireRecentProofOfToken(
  oauth: ProofContext,
  { isSession, tokenId, person }: Identity,
): Promise<void> {
  if (!isSession) return;
  const proof = await queryFirst(oauth.database, selectProof, [tokenId]);
  await requireRecentProof(oauth, { provenAt: new Date(proof?.proven_at ?? 0), person });
}

/** The password, or a code of the second factor. Guessing either is slowed down as at sign-in. */
export async function proveAgain(
  oauth: Oauth,
  session: Session,
  given: { password: string; code: string },
  address: string,
): Promise<void> {
  const { person } = session;
  const methods = await loadProofMethods(oauth, person);
  if (given.code !== "" && methods.includes("code")) {
    const check = await checkCode(oauth, person, given.code, address);
    if (check.outcome === "later")
      throw new TooManyRequests(Math.ceil((check.until.getTime() - oauth.clock.now().getTime()) / 1000));
    if (check.outcome === "wrong") throw new Invalid([["code", "is incorrect"]]);
    return recordProof(oauth, session, "code", address);
  }
  if (!methods.includes("password")) throw await buildRefusal(oauth, person);
  await requirePassword(oauth, person.id, given.password);
  return recordProof(oauth, session, "password", address);
}

const updateSession = statement("UPDATE sessions SET proven_at = $2 WHERE id = $1");

export async function recordProof(oauth: Oauth, session: Session, method: ProofMethod, address: string): Promise<void> {
  const now = oauth.clock.now().toISOString();
  const { id: person, account } = session.person;
  await oauth.database.transaction(async (tx) => {
    tx.send(updateSession, [session.id, now]);
    recordSecurityEvent(tx, now, { account, person, event: "identity-proven", details: { method }, address });
  });
}
