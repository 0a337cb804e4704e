import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import { addSeconds, changeAccess, type Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import {
  buildAddressKey,
  buildDeviceKey,
  buildGuessKey,
  buildNetworkKey,
  clearDelay,
  countAttempt,
  type KnownDevice,
  type Target,
} from "../sessions/sign-in-delays.ts";
import { createToken, hashToken } from "../tokens.ts";
import { checkPasswordRules, storePassword } from "./passwords.ts";

// Sends a link that works once, for an hour. A job sends it, so that the duration of the request does not reveal whether
// the address exists.

const linkSeconds = 3600;

const selectIds = jsonStatement<{ id: number }>(
  `SELECT p.id FROM people p
WHERE lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);

/**
 * Null: requested, for the people with this address who need not wait. Otherwise the time of the next allowed request.
 * Requests of strangers do not count for a person who signed in on the device before.
 */
export async function requestPasswordReset(
  oauth: Oauth,
  email: string,
  address: string,
  device: KnownDevice | null,
): Promise<Date | null> {
  const isUsable = isStorable(email) && email.length <= 200;
  const ids = isUsable ? (await queryRows(oauth.database, selectIds, [email.trim()])).map(({ id }) => id) : [];
  const targets: readonly Target[] = ids.length === 0 ? [{ email }] : ids;
  if (targets.some((target) => !device?.knows(target))) {
    const until = await countAttempt(oauth, buildAddressKey(address, "resetsFrom"));
    if (until !== null) return until;
  }
  const [people, waits]: [number[], number[]] = [[], []];
  for (const target of targets) {
    const isKnown = device?.knows(target);
    const until = await countAttempt(
      oauth,
      isKnown ? buildDeviceKey(device as KnownDevice, target, "reset") : buildGuessKey(target, "reset"),
    );
    if (until !== null) waits.push(until.getTime());
    else if (typeof target === "number") people.push(target);
  }
  if (waits.length === targets.length) return new Date(Math.min(...waits));
  if (!isUsable) return null;
  // A job for an unknown address as well: the duration of the request must not reveal whether it exists.
  await oauth.database.transaction(async (tx) => {
    const payload = { email: email.trim(), people, address };
    addJob(tx, { kind: "password-reset", account: null, payload, runAt: oauth.clock.now() });
  });
  return null;
}

const selectPeople = jsonStatement<{ id: number; account: string; account_name: string; email: string; name: string }>(
  `SELECT p.id, p.account_id AS account, a.name AS account_name, p.primary_email AS email, p.name
FROM people p JOIN accounts a ON a.id = p.account_id
WHERE lower(p.primary_email) = lower($1) AND p.id = ANY($2::integer[])
  AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);
const insert = jsonStatement<{ id: number }>(
  "INSERT INTO password_resets (account_id, person_id, secret_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
);

/** The job: sends an email to each of the people, who may be in several accounts. */
export async function sendPasswordResets(
  oauth: Oauth,
  publicUrl: string,
  { email, people: wanted, address }: { email: string; people: readonly number[]; address: string },
): Promise<void> {
  const people = await queryRows(oauth.database, selectPeople, [email, wanted]);
  if (people.length === 0) return;
  await oauth.database.transaction(async (tx) => {
    const now = oauth.clock.now();
    for (const { id, account, account_name, email: recipient, name } of people) {
      const token = createToken();
      await queryFirst(tx, insert, [account, id, hashToken(token), now.toISOString(), addSeconds(now, linkSeconds)]);
      const body = [
        `Hi ${name},`,
        `We received a request to reset your password for ${account_name}.`,
        `Use this link within the next hour to choose a new password:\n${publicUrl}/password_reset/${token}`,
        "If you didn't request this, you can ignore this email. Your password won't change.",
      ].join("\n\n");
      const subject = "Reset your password";
      const hidden = { key: oauth.secret, texts: [token] };
      addJob(tx, await storeMail(tx, now, { account, recipient, subject, body, hidden }));
      recordSecurityEvent(tx, now.toISOString(), { account, person: id, event: "password-reset-requested", address });
    }
  });
}

const selectPendingReset = jsonStatement<{ id: number; person_id: number; account_id: string; email: string }>(
  `SELECT r.id, r.person_id, r.account_id, p.primary_email AS email FROM password_resets r JOIN people p ON p.id = r.person_id
WHERE r.secret_hash = $1 AND r.used_at IS NULL AND r.expires_at > $2 AND NOT p.disabled AND p.life_cycle = 'active'`,
);
const markUsed = jsonStatement<{ id: number }>(
  "UPDATE password_resets SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id",
);

export const loadPendingReset = (oauth: Oauth, token: string) =>
  queryFirst(oauth.database, selectPendingReset, [hashToken(token), oauth.clock.now().toISOString()]);

/** Sets the new password, once. False when the link was used or has expired. */
export async function resetPassword(oauth: Oauth, token: string, password: string, address: string): Promise<boolean> {
  const reset = await loadPendingReset(oauth, token);
  if (reset === null) return false;
  await checkPasswordRules(await oauth.identities.getPolicy(reset.account_id), password);
  const hashed = await oauth.hasher.hash(password);
  const isDone = await changeAccess(oauth, async (tx, now) => {
    if ((await queryFirst(tx, markUsed, [reset.id, now])) === null) return false;
    const { person_id: id, account_id: account } = reset;
    storePassword(tx, now, { id, account }, hashed);
    recordSecurityEvent(tx, now, { account, person: id, event: "password-changed", address, details: { by: "reset" } });
    return true;
  });
  // A person who can read the email is not guessing: the delay that guessing caused ends.
  if (isDone)
    for (const key of [buildGuessKey(reset.person_id), buildNetworkKey(address, reset.person_id)])
      await clearDelay(oauth.database, key);
  return isDone;
}
