import { getMailTexts } from "../../../records/notifications/index.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import type { Oauth } from "../oauth-context.ts";
import type { DelayKey } from "./sign-in-delays.ts";

// Warns people by email when strangers guess their password, at most once a day. A job sends the mail, so that the duration
// of a sign-in does not reveal whether the address exists.

export const signInWarningJob = "sign-in-warning";

/** Fewer wrong guesses may be mistakes of the owner on a new device. */
const manyGuesses = 10;

// $1 the key of the warning, $2 that of the guesses, $3 now, $4 how many guesses are many
const claimWarning = statement(
  `INSERT INTO sign_in_delays AS d (key, failures, last_failed_at, blocked_until)
SELECT $1, 0, $3, $3 FROM sign_in_delays WHERE key = $2 AND failures >= $4
ON CONFLICT (key) DO UPDATE SET last_failed_at = $3, blocked_until = $3
WHERE d.last_failed_at <= $3::timestamptz - interval '1 day' RETURNING 1`,
);

/** `person`: null where no person has the address and a password */
type Warning = { email: string; person: number | null };

/** Called after a wrong guess has been counted. */
export async function planWarning(
  tx: Transaction,
  now: Date,
  { email, person }: Warning,
  guesses: DelayKey,
): Promise<void> {
  const values = [`warned ${guesses.key}`, guesses.key, now.toISOString(), manyGuesses];
  if ((await tx.query(claimWarning, values)).length === 0) return;
  const payload = { email: email.trim().slice(0, 200), person };
  addJob(tx, { kind: signInWarningJob, account: null, payload, runAt: now });
}

const selectOwners = jsonStatement<{
  account: string;
  account_name: string;
  email: string;
  name: string;
  locale: string;
}>(
  `SELECT p.account_id AS account, a.name AS account_name, p.primary_email AS email, p.name, p.locale
FROM people p JOIN accounts a ON a.id = p.account_id JOIN passwords w ON w.person_id = p.id
WHERE lower(p.primary_email) = lower($1) AND ($2::integer IS NULL OR p.id = $2)
  AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);

/** The job: an email for the person whose password is guessed. */
export async function sendSignInWarning(oauth: Oauth, publicUrl: string, { email, person }: Warning): Promise<void> {
  const owners = await queryRows(oauth.database, selectOwners, [email, person ?? null]);
  if (owners.length === 0) return;
  await oauth.database.transaction(async (tx) => {
    for (const { account, account_name, email: recipient, name, locale } of owners) {
      const { title, greeting, text, advice } = getMailTexts(locale ?? "en").signInWarning;
      const values: Record<string, string> = { name, account: account_name, link: `${publicUrl}/password_reset` };
      const fill = (wording: string) => wording.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
      const body = [greeting, text, advice].map(fill).join("\n\n");
      addJob(tx, await storeMail(tx, oauth.clock.now(), { account, recipient, subject: fill(title), body }));
    }
  });
}
