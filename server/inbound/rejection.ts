import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { type Envelope, isFromList } from "./automatic.ts";
import type { Message } from "./message.ts";

// Somebody whose mail we do not take is told so, once an hour at most: the sender may be forged, and we would be
// made to write to people who never wrote to us.

const perHour = 60; // of one account
const recent = statement(
  `SELECT count(*) FILTER (WHERE sender = $2), count(*) FROM received_mails
WHERE account_id = $1 AND outcome IN ('rejected', 'unreadable') AND handled_at > $3::timestamptz - interval '1 hour'`,
);

/** Whether it was told. */
export async function tellRejection(
  tx: Transaction,
  now: Date,
  { account, message, envelope, reason }: { account: string; message: Message; envelope: Envelope; reason: string },
): Promise<boolean> {
  const { envelopeFrom } = envelope;
  if (envelopeFrom === "" || isFromList(message)) return false;
  const sender = message.from?.address.toLowerCase() ?? "";
  const [row] = await tx.query(recent, [account, sender, now.toISOString()]);
  if (Number(row?.[0]) > 0 || Number(row?.[1]) >= perHour) return false;
  const subject = message.subject.slice(0, 150);
  const body = [
    `Your message${subject === "" ? "" : ` "${subject}"`} to ${envelope.recipients.join(", ")} was not accepted:`,
    `${reason}.`,
    "Nothing was registered. Please get in touch with the service desk in another way.",
  ].join("\n\n");
  const mail = { account, recipient: envelopeFrom, subject: `Not accepted: ${subject || "your message"}`, body };
  addJob(tx, await storeMail(tx, now, mail));
  return true;
}
