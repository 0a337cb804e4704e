import { isStorable } from "../../engine/kinds/kind.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import { jsonStatement, queryFirst, queryRows } from "../../storage/rows.ts";
import { addSeconds, changeAccess, type Oauth } from "../context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import {
  buildAddressKey,
  buildDeviceKey,
  buildEmailKey,
  buildNetworkKey,
  clearDelay,
  countAttempt,
} from "../sessions/sign-in-delays.ts";
import { createToken, hashToken } from "../tokens.ts";
import { checkPasswordRules, storePassword } from "./passwords.ts";

// Sends a link that works once, for an hour. A job sends it, so that the duration of the request does not reveal whether
// the address exists.

const linkSeconds = 3600;

/**
 * Null: requested. Otherwise the time of the next allowed request. `device`: set when somebody with this e-mail address
 * signed in on the same device before; then requests of strangers do not count.
 */
export async function requestPasswordReset(
  oauth: Oauth,
  email: string,
  address: string,
  device: string | null,
): Promise<Date | null> {
  const keys =
    device === null
      ? [buildAddressKey(address, "resetsFrom"), buildEmailKey(email, "reset")]
      : [buildDeviceKey(device, email, "reset")];
  const until = await countAttempt(oauth, ...keys);
  if (until !== null) return until;
  if (!isStorable(email)) return null;
  await oauth.database.transaction(async (tx) => {
    const payload = { email: email.trim().slice(0, 200), address };
    addJob(tx, { kind: "password-reset", account: null, payload, runAt: oauth.clock.now() });
  });
  return null;
}

const selectPeople = jsonStatement<{ id: number; account: string; account_name: string; email: string; name: string }>(
  `SELECT p.id, p.account_id AS account, a.name AS account_name, p.primary_email AS email, p.name
FROM people p JOIN accounts a ON a.id = p.account_id
WHERE lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);
const insert = jsonStatement<{ id: number }>(
  "INSERT INTO password_resets (account_id, person_id, secret_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
);

/** The job: sends an e-mail for each account in which a person has this address. */
export async function sendPasswordResets(
  oauth: Oauth,
  publicUrl: string,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const people = await queryRows(oauth.database, selectPeople, [email]);
  if (people.length === 0) return;
  await oauth.database.transaction(async (tx) => {
    const now = oauth.clock.now();
    for (const { id, account, account_name, email: recipient, name } of people) {
      const token = createToken();
      await queryFirst(tx, insert, [account, id, hashToken(token), now.toISOString(), addSeconds(now, linkSeconds)]);
      const body = [
        `Hello ${name},`,
        `somebody, perhaps you, asked for a new password for your sign-in at ${account_name}.`,
        `Choose one here within the next hour:\n${publicUrl}/password_reset/${token}`,
        "If it was not you, do nothing: your password stays as it is.",
      ].join("\n\n");
      const subject = "Choose a new password";
      addJob(tx, await storeMail(tx, now, { account, recipient, subject, body }));
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
  // A person who can read the e-mail is not guessing: the delay that guessing caused ends.
  if (isDone)
    for (const key of [buildEmailKey(reset.email), buildNetworkKey(address, reset.email)])
      await clearDelay(oauth.database, key);
  return isDone;
}
