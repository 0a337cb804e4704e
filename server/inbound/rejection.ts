import { formatFieldMessage } from "../../records/languages/index.ts";
import { getMailTexts, type RejectionReason } from "../../records/notifications/index.ts";
import type { Problem } from "../base/errors.ts";
import type { Account } from "../engine/caller.ts";
import { storeMail } from "../mail/mails.ts";
import { fillPlaceholders } from "../notifications/format-values.ts";
import { addJob } from "../queue/jobs.ts";
import { acquireLock, buildLockKey } from "../storage/advisory-lock.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { type Envelope, isFromMailingList } from "./automatic-mail.ts";
import type { InboundMessage } from "./message.ts";
import { findLanguage } from "./sender.ts";

// Somebody whose mail we do not take is told so, once an hour at most: the sender may be forged, and we would be
// made to write to people who never wrote to us.

/** `why`: for administrators, where they are told more than the sender. */
export type Rejection = { refusal: RejectionReason; sender?: string; problems?: readonly Problem[]; why?: string };

const maxRejectionsPerHour = 60; // of one account
const countRecentRejections = statement(
  `SELECT count(*) FILTER (WHERE sender = $2 OR lower(envelope_from) = lower($4)), count(*) FROM received_mails
WHERE account_id = $1 AND state <> 'waiting' AND outcome IN ('rejected', 'unreadable') AND handled_at > $3::timestamptz - interval '1 hour'`,
);

/** Without the full stop. */
export function describeRejection(language: string, { refusal, sender = "", problems = [] }: Rejection): string {
  const said = problems.map((problem) => formatFieldMessage(language, problem)).join("; ");
  return fillPlaceholders(getMailTexts(language).rejection.reasons[refusal], { sender, problems: said });
}

/** Whether it was told. */
export async function mailRejection(
  tx: Transaction,
  now: Date,
  account: Account,
  { message, envelope, rejection }: { message: InboundMessage; envelope: Envelope; rejection: Rejection },
): Promise<boolean> {
  const { envelopeFrom } = envelope;
  if (envelopeFrom === "" || isFromMailingList(message)) return false;
  const sender = message.from?.address.toLowerCase() ?? "";
  await tx.query(acquireLock, [buildLockKey("rejections", account.id)]);
  const [row] = await tx.query(countRecentRejections, [account.id, sender, now.toISOString(), envelopeFrom]);
  if (Number(row?.[0]) > 0 || Number(row?.[1]) >= maxRejectionsPerHour) return false;
  const language = await findLanguage(tx, account, sender);
  const { title, untitled, text, advice } = getMailTexts(language).rejection;
  const values = {
    subject: message.subject.slice(0, 150).toWellFormed() || untitled,
    recipients: formatRecipients(envelope),
  };
  const body = [fillPlaceholders(text, values), `${describeRejection(language, rejection)}.`, advice].join("\n\n");
  const mail = { account: account.id, recipient: envelopeFrom, subject: fillPlaceholders(title, values), body };
  addJob(tx, await storeMail(tx, now, mail));
  return true;
}

const formatRecipients = ({ recipients }: Envelope): string => recipients.slice(0, 5).join(", ");
