import type { Clock } from "../base/clock.ts";
import { type Database, statement, type Transaction } from "../storage/database.ts";
import { type MailSettings, sendMail } from "./smtp.ts";

// Outgoing mail is a row, written in the transaction that wants it; a job sends it. Without an SMTP server the rows stay,
// and administrators can read them.

export type Mail = { account: string; recipient: string; subject: string; body: string };

const insert = statement(
  "INSERT INTO mails (account_id, recipient, subject, body, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
);
const find = statement("SELECT id, recipient, subject, body, created_at FROM mails WHERE id = $1 AND sent_at IS NULL");
// What was sent need not be kept: it may hold a link that only the recipient should have.
const sent = statement("UPDATE mails SET sent_at = $2, body = '' WHERE id = $1");

/** Writes the mail and answers the job that will send it, for the caller to add in the same transaction. */
export async function storeMail(tx: Transaction, now: Date, mail: Mail) {
  const { account, recipient, subject, body } = mail;
  const [row] = await tx.query(insert, [account, recipient, subject, body, now.toISOString()]);
  const id = Number(row?.[0]);
  return { kind: "mail", key: String(id), account, payload: { id }, runAt: now };
}

/** The job. It may run again after a crash; the Message-ID stays the same, so that receivers can tell. */
export async function deliverMail(
  database: Database,
  clock: Clock,
  settings: MailSettings | null,
  { id }: { id: number },
): Promise<void> {
  if (settings === null) return;
  const [row] = await database.read(find, [id]);
  if (row === undefined) return;
  const [, recipient, subject, body, created] = row as string[];
  const date = new Date(`${(created as string).slice(0, 19).replace(" ", "T")}Z`);
  const message = {
    id: `mail-${id}`,
    recipient: recipient as string,
    subject: subject as string,
    body: body as string,
  };
  await sendMail(settings, { ...message, date });
  await database.read(sent, [id, clock.now().toISOString()]);
}

type MailLine = {
  id: number;
  recipient: string;
  subject: string;
  body: string;
  created_at: string;
  sent_at: string | null;
};

const list = statement(
  `SELECT coalesce(json_agg(x), '[]') FROM (SELECT id, recipient, subject, body, created_at, sent_at FROM mails
WHERE account_id = $1 ORDER BY id DESC LIMIT 100) x`,
);

export async function mailsOf(database: Database, account: string): Promise<MailLine[]> {
  const [row] = await database.read(list, [account]);
  return JSON.parse(row?.[0] ?? "[]") as MailLine[];
}
