import type { Caller } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { MatchedRecord } from "./mail-threads.ts";
import type { InboundMessage } from "./message.ts";
import type { WaitingMail } from "./received-mails.ts";

// What remains of a mail beside the request that it has become.

const markNote = statement("UPDATE notes SET inbound_email_id = $2 WHERE id = $1");

/**
 * `said`: what everybody who sees the request may read; null where the mail is for the account's own people alone.
 * `failure`: what was not done although the mail asked for it
 */
export type InboundEmailInput = {
  record: MatchedRecord;
  note: number | null;
  publicText: string | null;
  failure: string | null;
};

export async function createInboundEmail(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  mail: WaitingMail,
  message: InboundMessage,
  { record, note, publicText: said, failure }: InboundEmailInput,
): Promise<void> {
  const fixed = {
    request: record.id,
    note,
    message_id: message.messageId,
    from: message.from === null ? null : formatAddress(message.from),
    to: message.to || mail.recipients.join(", "),
    cc: message.cc || null,
    subject: message.subject || null,
    body_start: said === null ? null : truncateBody(said),
    failure_reason: failure,
  };
  const type = engine.types.get("inbound_email");
  const id = await createUnchecked({ engine, tx, by, type }, {}, { fixed, account: record.account });
  if (note !== null) tx.send(markNote, [note, id]);
}

/** Images have no place here. */
function truncateBody(text: string): string | null {
  const words = text.slice(0, 2000).replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
  return [...words].slice(0, 255).join("") || null;
}

const formatAddress = ({ name, address }: NonNullable<InboundMessage["from"]>): string =>
  name === "" ? address : `${name} <${address}>`;
