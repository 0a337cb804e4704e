import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { createUnchecked } from "../engine/within.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { Message } from "./message.ts";
import type { Waiting } from "./received.ts";
import type { Found } from "./threads.ts";

// Reference: records/requests.md, "Inbound email": what remains of a mail beside the request that it has become.

const markNote = statement("UPDATE notes SET inbound_email_id = $2 WHERE id = $1");

/**
 * `said`: what everybody who sees the request may read; null where the mail is for the account's own people alone.
 * `failure`: what was not done although the mail asked for it
 */
export type Kept = { record: Found; note: number | null; said: string | null; failure: string | null };

export async function keepTrace(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  mail: Waiting,
  message: Message,
  { record, note, said, failure }: Kept,
): Promise<void> {
  const fixed = {
    request: record.id,
    note,
    message_id: message.messageId,
    from: message.from === null ? null : addressed(message.from),
    to: message.to || mail.recipients.join(", "),
    cc: message.cc || null,
    subject: message.subject || null,
    body_start: said === null ? null : beginningOf(said),
    failure_reason: failure,
  };
  const type = engine.types.get("inbound_email");
  const id = await createUnchecked(engine, tx, by, type, {}, { fixed, account: record.account });
  if (note !== null) tx.send(markNote, [note, id]);
}

/** Images have no place here. */
function beginningOf(text: string): string | null {
  const words = text.slice(0, 2000).replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
  return [...words].slice(0, 255).join("") || null;
}

const addressed = ({ name, address }: NonNullable<Message["from"]>): string =>
  name === "" ? address : `${name} <${address}>`;
