import { formatFieldMessage } from "../../records/languages/index.ts";
import { getMailTexts, type RejectionReason } from "../../records/notifications/index.ts";
import type { Problem } from "../base/errors.ts";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Account } from "../engine/caller.ts";
import { storeMail } from "../mail/mails.ts";
import { fillPlaceholders } from "../notifications/format-values.ts";
import { addJob } from "../queue/jobs.ts";
import { type Envelope, isFromMailingList } from "./automatic-mail.ts";
import type { EmailPolicy } from "./email-policy.ts";
import type { InboundMessage } from "./message.ts";
import { findLanguage } from "./sender.ts";

// The sender of a rejected mail gets at most one answer an hour: a forged sender address would otherwise make us write
// to people who never wrote to us.

/** `why`: the reason that administrators see where it says more than the one for the sender. */
export type Rejection = { refusal: RejectionReason; sender?: string; problems?: readonly Problem[]; why?: string };

const maxRejectionsPerHour = 60; // per account
const countRecentRejections = statement(
  `SELECT count(*) FILTER (WHERE sender = $2 OR lower(envelope_from) = lower($4)), count(*) FROM received_mails
WHERE account_id = $1 AND state <> 'waiting' AND outcome IN ('rejected', 'unreadable') AND handled_at > $3::timestamptz - interval '1 hour'`,
);

/** The reason why this sender's email may not become a new request; null: it may. */
export function findRequestRefusal({ from }: InboundMessage, policy: EmailPolicy): Rejection | null {
  const sender = from?.address.toLowerCase() ?? "";
  const matches = (entry: string) => (entry.startsWith("@") ? sender.endsWith(entry) : sender === entry);
  const { generate_new_requests: when, allowed_senders: allowed } = policy;
  if (when === "never") return { refusal: "no_requests" };
  const isAllowed = when === "always" || allowed.some((entry) => matches(entry.toLowerCase()));
  return isAllowed ? null : { refusal: "not_from_there", sender };
}

/** Without the full stop. */
export function describeRejection(language: string, { refusal, sender = "", problems = [] }: Rejection): string {
  const messages = problems.map((problem) => formatFieldMessage(language, problem)).join("; ");
  return fillPlaceholders(getMailTexts(language).rejection.reasons[refusal], { sender, problems: messages });
}

/** Stores the answer to the sender, unless there were too many in the last hour. */
export async function mailRejection(
  tx: Transaction,
  now: Date,
  account: Account,
  { message, envelope, rejection }: { message: InboundMessage; envelope: Envelope; rejection: Rejection },
): Promise<void> {
  const { envelopeFrom } = envelope;
  if (envelopeFrom === "" || isFromMailingList(message)) return;
  const sender = message.from?.address.toLowerCase() ?? "";
  await tx.query(acquireLock, [buildLockKey("rejections", account.id)]);
  const [row] = await tx.query(countRecentRejections, [account.id, sender, now.toISOString(), envelopeFrom]);
  if (Number(row?.[0]) > 0 || Number(row?.[1]) >= maxRejectionsPerHour) return;
  const language = await findLanguage(tx, account, sender);
  const { title, untitled, text, advice } = getMailTexts(language).rejection;
  const values = {
    subject: message.subject.slice(0, 150).toWellFormed() || untitled,
    recipients: formatRecipients(envelope),
  };
  const body = [fillPlaceholders(text, values), `${describeRejection(language, rejection)}.`, advice].join("\n\n");
  const mail = { account: account.id, recipient: envelopeFrom, subject: fillPlaceholders(title, values), body };
  addJob(tx, await storeMail(tx, now, mail));
}

const formatRecipients = ({ recipients }: Envelope): string => recipients.slice(0, 5).join(", ");
