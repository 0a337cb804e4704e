import { jsonStatement, queryRows } from "../../database/rows.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import type { SessionMethod } from "../policy/policy-members.ts";
import { requireSignInAllowed } from "../policy/sign-in-admission.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { beginSession, type Visitor } from "./sessions.ts";
import {
  buildAddressKey,
  buildDeviceKey,
  buildGuessKey,
  buildNetworkKey,
  clearDelay,
  countAttempt,
  type DelayKey,
  isKnownNetwork,
  type KnownDevice,
  reduceCount,
  rememberNetwork,
  type Target,
  undoAttempt,
} from "./sign-in-delays.ts";
import { planWarning } from "./sign-in-warning.ts";

// Sign-in by email address and password. Neither the response nor its duration reveals whether the address exists.

export type SignInCandidate = {
  id: number;
  account: string;
  accountName: string;
  /** sealed: the identity provider that vouches for the person, instead of a password */
  provider?: string;
  /** the password counts although the account demands a provider */
  isEmergency?: boolean;
};
type Row = { id: number; account: string; account_name: string; hash: string | null; changed_at: string | null };

const selectCandidates = jsonStatement<Row>(
  `SELECT p.id, p.account_id AS account, a.name AS account_name, w.hash, w.changed_at
FROM people p JOIN accounts a ON a.id = p.account_id LEFT JOIN passwords w ON w.person_id = p.id
WHERE lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);

export type SignInResult =
  | { outcome: "right"; people: readonly [SignInCandidate, ...SignInCandidate[]] }
  | { outcome: "wrong" }
  | { outcome: "later"; until: Date };

export type SignInAttempt = { email: string; password: string; address: string; device: KnownDevice | null };

/** A person whose password the given one is compared with, and the count of such attempts. */
type Comparison = { row: Row | null; key: DelayKey; blockedUntil: Date | null };

/** The people with this address and password: several when the address is used in several accounts. */
export async function checkPassword(oauth: Oauth, attempt: SignInAttempt): Promise<SignInResult> {
  const { email, password, address, device } = attempt;
  const isUsable = isStorable(email) && isStorable(password) && email.length <= 200 && password.length <= 1000;
  const rows = isUsable ? await queryRows(oauth.database, selectCandidates, [email.trim()]) : [];
  const withPassword = rows.filter((row) => row.hash !== null);
  const compared: readonly (Row | null)[] = withPassword.length === 0 ? [null] : withPassword;
  const isStranger = compared.some((row) => !device?.knows(row?.id ?? { email }));
  const addressKey = buildAddressKey(address);
  const until = isStranger ? await countAttempt(oauth, addressKey) : null;
  if (until !== null) return { outcome: "later", until };

  const comparisons: Comparison[] = [];
  for (const row of compared) {
    const key = await pickKey(oauth, attempt, row?.id ?? { email });
    comparisons.push({ row, key, blockedUntil: await countAttempt(oauth, key) });
  }
  const open = comparisons.filter(({ blockedUntil }) => blockedUntil === null);
  const matches: (Comparison & { row: Row })[] = [];
  for (const { row, ...rest } of open)
    if ((await oauth.hasher.verify(row?.hash ?? null, isUsable ? password : "")) && row !== null)
      matches.push({ row, ...rest });
  if (matches.length > 0) {
    await settleCounts(oauth, address, open, matches);
    if (isStranger) await undoAttempt(oauth, addressKey);
    const people = matches.map(({ row: { id, account, account_name: accountName } }) => ({ id, account, accountName }));
    return { outcome: "right", people: people as [SignInCandidate, ...SignInCandidate[]] };
  }
  if (open.length > 0) await recordFailure(oauth, attempt, rows, comparisons);
  const waits = comparisons.flatMap(({ blockedUntil }) => (blockedUntil === null ? [] : [blockedUntil.getTime()]));
  // The password may be that of a person who has to wait: it is not called wrong before it has been compared.
  return waits.length === 0 ? { outcome: "wrong" } : { outcome: "later", until: new Date(Math.min(...waits)) };
}

async function pickKey(oauth: Oauth, { address, device }: SignInAttempt, target: Target): Promise<DelayKey> {
  if (device?.knows(target)) return buildDeviceKey(device, target);
  return (await isKnownNetwork(oauth, address, target)) ? buildNetworkKey(address, target) : buildGuessKey(target);
}

/** Older passwords are no guesses at those of other people: an attacker cannot choose one for every guess. */
const secondsOfNewPassword = 24 * 3600;

async function settleCounts(
  oauth: Oauth,
  address: string,
  open: readonly Comparison[],
  matches: readonly { row: Row; key: DelayKey }[],
): Promise<void> {
  for (const { row, key } of matches) {
    await clearDelay(oauth.database, key);
    await rememberNetwork(oauth, address, row.id);
  }
  const newest = oauth.clock.now().getTime() - secondsOfNewPassword * 1000;
  if (!matches.some(({ row }) => new Date(row.changed_at ?? 0).getTime() <= newest)) return;
  const matching = new Set(matches.map(({ row }) => row.id));
  for (const { row, key } of open) if (row !== null && !matching.has(row.id)) await reduceCount(oauth, key);
}

async function recordFailure(
  oauth: Oauth,
  { email, address }: SignInAttempt,
  rows: readonly Row[],
  comparisons: readonly Comparison[],
): Promise<void> {
  const now = oauth.clock.now();
  const blocked = new Set(comparisons.flatMap(({ row, blockedUntil }) => (blockedUntil === null ? [] : [row?.id])));
  await oauth.database.transaction(async (tx) => {
    for (const { id, account } of rows)
      if (!blocked.has(id))
        recordSecurityEvent(tx, now.toISOString(), { account, person: id, event: "sign-in-failed", address });
    for (const { row, key } of comparisons)
      if (key.kind === "guesses" && !blocked.has(row?.id))
        await planWarning(tx, now, { email, person: row?.id ?? null }, key);
  });
}

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
