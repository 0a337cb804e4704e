import { isStorable } from "../../engine/kinds/kind.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { changeAccess, type Oauth } from "../context.ts";
import type { SessionMethod } from "../policy/policy-members.ts";
import { requireSignInAllowed } from "../policy/sign-in-admission.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { beginSession, type Visitor } from "./sessions.ts";
import {
  buildAddressKey,
  buildDeviceKey,
  buildEmailKey,
  buildNetworkKey,
  clearDelay,
  countAttempt,
  type DelayKey,
  isKnownNetwork,
  rememberNetwork,
  undoAttempt,
} from "./sign-in-delays.ts";
import { planWarning } from "./sign-in-warning.ts";

// Sign-in by e-mail address and password. Neither the response nor its duration reveals whether the address exists.

export type SignInCandidate = {
  id: number;
  account: string;
  accountName: string;
  /** sealed: the identity provider that vouches for the person, instead of a password */
  provider?: string;
  /** the password counts although the account demands a provider */
  isEmergency?: boolean;
};
type Row = { id: number; account: string; account_name: string; hash: string | null };

const selectCandidates = jsonStatement<Row>(
  `SELECT p.id, p.account_id AS account, a.name AS account_name, w.hash
FROM people p JOIN accounts a ON a.id = p.account_id LEFT JOIN passwords w ON w.person_id = p.id
WHERE lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);

export type SignInResult =
  | { outcome: "right"; people: readonly [SignInCandidate, ...SignInCandidate[]] }
  | { outcome: "wrong" }
  | { outcome: "later"; until: Date };

/** `device`: set when somebody with this e-mail address signed in on the same device before. */
export type SignInAttempt = { email: string; password: string; address: string; device: string | null };

/** The people with this address and password: several when the address is used in several accounts. */
export async function checkPassword(
  oauth: Oauth,
  { email, password, address, device }: SignInAttempt,
): Promise<SignInResult> {
  const addressKey = buildAddressKey(address);
  const isAtHome = device === null && (await isKnownNetwork(oauth, address, email));
  const ownKey = isAtHome ? buildNetworkKey(address, email) : buildOwnKey(device, email);
  const until = await countAttempt(oauth, ...(device === null ? [addressKey, ownKey] : [ownKey]));
  if (until !== null) return { outcome: "later", until };
  const isUsable = isStorable(email) && isStorable(password) && email.length <= 200 && password.length <= 1000;
  const rows = isUsable ? await queryRows(oauth.database, selectCandidates, [email.trim()]) : [];
  const withPassword = rows.filter((row) => row.hash !== null);
  const matches: Row[] = [];
  for (const row of withPassword) if (await oauth.hasher.verify(row.hash, password)) matches.push(row);
  if (withPassword.length === 0) await oauth.hasher.verify(null, isUsable ? password : "");
  if (matches.length === 0) {
    await oauth.database.transaction(async (tx) => {
      for (const { id, account } of rows)
        recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
          account,
          person: id,
          event: "sign-in-failed",
          address,
        });
      if (device === null && !isAtHome) await planWarning(tx, oauth.clock.now(), email, ownKey);
    });
    return { outcome: "wrong" };
  }
  await clearDelay(oauth.database, ownKey);
  if (device === null) await undoAttempt(oauth, addressKey);
  await rememberNetwork(oauth, address, email);
  const people = matches.map(({ id, account, account_name: accountName }) => ({ id, account, accountName }));
  return { outcome: "right", people: people as [SignInCandidate, ...SignInCandidate[]] };
}

const buildOwnKey = (device: string | null, email: string): DelayKey =>
  device === null ? buildEmailKey(email) : buildDeviceKey(device, email);

/** The way by which the steps so far have led here. */
export const pickSignInMethod = ({ provider, isEmergency }: SignInCandidate): SessionMethod =>
  provider !== undefined ? "single_sign_on" : isEmergency ? "emergency" : "password";

/** Begins a session after a successful check; returns the secret for the cookie. Throws SessionRefused. */
export async function signIn(
  oauth: Oauth,
  person: { id: number; account: string },
  visitor: Visitor,
  previous: string | null,
  method: SessionMethod = "password",
): Promise<string> {
  await requireSignInAllowed(oauth, person, { method, address: visitor.address });
  return changeAccess(oauth, (tx, now) => {
    recordSecurityEvent(tx, now, {
      ...{ account: person.account, person: person.id, event: "sign-in" as const, address: visitor.address },
      details: { method },
    });
    return beginSession(oauth, tx, person, visitor, { previous, method });
  });
}
