import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import type { MatchedRecord } from "./mail-threads.ts";
import type { InboundMessage } from "./message.ts";
import type { WaitingMail } from "./received-mails.ts";

// Stores the inbound_email record of a mail that became a request or a note on one.

const markNote = statement("UPDATE notes SET inbound_email_id = $2 WHERE id = $1 AND account_id = $3");

export type InboundEmailInput = {
  mail: WaitingMail;
  message: InboundMessage;
  record: MatchedRecord;
  note: number | null;
  /** the text that everyone with access to the request may read; null: it is internal */
  publicText: string | null;
  /** parameters of the email that had no effect */
  failure: string | null;
};

export async function createInboundEmail(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { mail, message, record, note, publicText, failure }: InboundEmailInput,
): Promise<void> {
  const fixed = {
    request: record.id,
    note,
    message_id: message.messageId,
    from: message.from === null ? null : formatAddress(message.from),
    to: message.to || mail.recipients.join(", "),
    cc: message.cc || null,
    subject: message.subject || null,
    body_start: publicText === null ? null : truncateBody(publicText),
    failure_reason: failure,
  };
  const type = engine.types.get("inbound_email");
  const id = await createUnchecked({ engine, tx, by, type }, {}, { fixed, account: record.account });
  if (note !== null) tx.send(markNote, [note, id, record.account]);
}

/** Images are replaced by their alternative text. */
function truncateBody(text: string): string | null {
  const words = text.slice(0, 2000).replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
  return [...words].slice(0, 255).join("") || null;
}

const formatAddress = ({ name, address }: NonNullable<InboundMessage["from"]>): string =>
  name === "" ? address : `${name} <${address}>`;
