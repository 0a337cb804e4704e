import type { Clock } from "../base/clock.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import { type HiddenTexts, hideTexts, showTexts } from "./hidden-texts.ts";
import { notificationsByName } from "./notification-outbox.ts";
import { type MailSettings, sendMail } from "./smtp.ts";

// Outgoing mail is stored in the transaction that causes it; a job sends it. Without an SMTP server the rows stay, and
// administrators can read them, but not the secrets of links.

export type Mail = {
  account: string;
  recipient: string;
  subject: string;
  body: string;
  about?: { type: string; id: number } | undefined;
  /** parts of the body that only the recipient may read */
  hidden?: HiddenTexts;
};

const insert = statement(
  "INSERT INTO mails (account_id, recipient, subject, body, created_at, record_type, record_id, sealed_texts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
);
const selectMail = statement(
  `SELECT coalesce(p.primary_email, m.recipient), m.subject, m.body, extract(epoch FROM m.created_at), m.html, m.message_id, m.record_type, m.record_id, m.account_id,
  m.person_id, p.disabled OR p.life_cycle <> 'active', p.send_email_notifications = 'never', a.name, m.trigger, e.token, m.sealed_texts
FROM mails m JOIN accounts a ON a.id = m.account_id LEFT JOIN people p ON p.id = m.person_id
LEFT JOIN exports e ON m.record_type = 'export' AND e.id = m.record_id WHERE m.id = $1 AND m.state = 'waiting'`,
);
// The body of a sent mail is deleted: it may contain a link that only the recipient should have.
const markSent = statement(
  "UPDATE mails SET sent_at = $2, state = 'sent', body = '', html = NULL, sealed_texts = NULL, error = NULL, tries = tries + 1 WHERE id = $1",
);
const markFailed = statement("UPDATE mails SET state = $3, error = $2, tries = tries + 1 WHERE id = $1");

/** Emails older than this are not retried. */
const maxAgeMilliseconds = 5 * 86_400_000;

/** Stores the mail and returns its job, which the caller adds in the same transaction. */
export async function storeMail(tx: Transaction, now: Date, mail: Mail) {
  const { account, recipient, subject, about, hidden = { key: "", texts: [] } } = mail;
  const { contents, sealed } = hideTexts(hidden, account, [subject, mail.body]);
  const record = [about?.type ?? null, about?.id ?? null];
  const [row] = await tx.query(insert, [account, recipient, ...contents, now.toISOString(), ...record, sealed]);
  return buildMailJob(account, Number(row?.[0]), now);
}

/** The job that sends a stored mail. */
export const buildMailJob = (account: string, id: number, runAt: Date) => ({
  kind: "mail",
  key: String(id),
  account,
  payload: { id },
  runAt,
});

/** `leave` returns the unsubscribe URL of a person. */
export type MailDeliveryOptions = {
  settings: MailSettings | null;
  domain: string;
  /** of the instance; opens hidden texts */
  secret: string;
  leave(person: number): Promise<string | null>;
};

/**
 * Handles the job `mail`. It may run again after a crash; the Message-ID stays the same, so that receivers recognize the
 * repetition. A permanent refusal of the server is final; other errors are retried with growing pauses.
 */
export async function deliverMail(
  database: Database,
  clock: Clock,
  sender: MailDeliveryOptions,
  { id }: { id: number },
): Promise<void> {
  const { settings, domain } = sender;
  if (settings === null) return;
  const [row] = await database.read(selectMail, [id]);
  if (row === undefined) return;
  const [
    recipient,
    subject,
    storedBody,
    created,
    storedHtml,
    messageId,
    type,
    record,
    account,
    person,
    gone,
    never,
    name,
    trigger,
    token,
    sealed,
  ] = row as string[];
  const now = clock.now();
  const isNotification = messageId != null;
  // The mail may have waited for days, and the preference may have changed.
  const isUnwanted = never === "t" && notificationsByName.get(trigger ?? "")?.ignoresPreferences !== true;
  const obstacle = gone === "t" ? "the person is disabled" : isUnwanted ? "the person has turned off emails" : null;
  if (obstacle !== null) return void (await database.change(markFailed, [id, obstacle, "failed"]));
  const [body, html] = showTexts(sender.secret, account as string, sealed ?? null, [
    storedBody ?? "",
    storedHtml ?? null,
  ]);
  const replyTo = `${account}@mail.${domain}`;
  const unsubscribeUrl = isNotification && person != null ? await sender.leave(Number(person)) : null;
  try {
    await sendMail(settings, {
      id: messageId ?? `<mail-${id}.steward@${settings.from.split("@")[1]}>`,
      recipient: recipient as string,
      subject: subject as string,
      body: body as string,
      date: new Date(Number(created) * 1000),
      // IE18
      ...(token == null ? {} : { headers: { "X-Xurrent-Export": token, "X-Xurrent-ExportID": String(record) } }),
      ...(isNotification
        ? {
            html: html ?? null,
            sender: name as string,
            replyTo,
            threadId: `<${type}.${record}.${account}.thread@mail.${domain}>`,
            unsubscribeUrl,
          }
        : {}),
    });
  } catch (error) {
    const isFinal = isPermanentRefusal(error) || now.getTime() - Number(created) * 1000 > maxAgeMilliseconds;
    await database.change(markFailed, [id, describeMailError(error), isFinal ? "failed" : "waiting"]);
    if (isFinal) return;
    throw error;
  }
  await database.change(markSent, [id, now.toISOString()]);
}

/** A reply of class 5 (RFC 5321) to the recipient or the text; one to the connection or the login may be temporary. */
const isPermanentRefusal = (error: unknown): boolean => {
  const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && responseCode < 600 && !/^(CONN|EHLO|HELO|AUTH|STARTTLS)/.test(command);
};

const describeMailError = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").toWellFormed().slice(0, 500);
