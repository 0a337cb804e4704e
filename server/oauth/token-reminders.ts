import { getMailTexts } from "../../records/notifications/index.ts";
import type { Transaction } from "../database/database.ts";
import { jsonStatement, queryFirst } from "../database/rows.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import type { Oauth } from "./oauth-context.ts";

// Reminds people by email that a personal access token of theirs is about to end: a week before, and a day before.

export const tokenReminderJob = "token-reminder";
const daysBefore = [7, 1];
const day = 86_400_000;

/** In the transaction that creates the token. Reminders that would come before the token exists are left out. */
export function planTokenReminders(
  tx: Pick<Transaction, "send">,
  now: Date,
  { id, account, expiresAt }: { id: number; account: string; expiresAt: Date },
): void {
  for (const days of daysBefore) {
    const runAt = new Date(expiresAt.getTime() - days * day);
    if (runAt > now)
      addJob(tx, { kind: tokenReminderJob, key: `${id} ${days}`, account, payload: { token: id }, runAt });
  }
}

// A token that was deleted meanwhile, or whose owner is disabled, is not found.
const selectToken = jsonStatement<{
  name: string;
  expires_at: string;
  account: string;
  email: string;
  person: string;
  locale: string | null;
}>(
  `SELECT t.name, t.expires_at, t.account_id AS account, p.primary_email AS email, p.name AS person, p.locale
FROM tokens t JOIN people p ON p.id = t.person_id
WHERE t.id = $1 AND t.kind = 'personal' AND t.expires_at > $2 AND NOT p.disabled AND p.life_cycle = 'active'`,
);

export async function sendTokenReminder(oauth: Oauth, publicUrl: string, payload: { token: number }): Promise<void> {
  const now = oauth.clock.now();
  const token = await queryFirst(oauth.database, selectToken, [payload.token, now.toISOString()]);
  if (token === null) return;
  const locale = token.locale ?? "en";
  const { title, greeting, text, advice } = getMailTexts(locale).tokenReminder;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(token.expires_at),
  );
  const link = `${publicUrl}/personal_access_tokens`;
  const values: Record<string, string> = { name: token.person, token: token.name, date, link };
  const fill = (wording: string) => wording.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
  const { account, email: recipient } = token;
  const mail = { account, recipient, subject: fill(title), body: [greeting, text, advice].map(fill).join("\n\n") };
  await oauth.database.transaction(async (tx) => addJob(tx, await storeMail(tx, now, mail)));
}
