import { headerNamed, headersNamed, type Message } from "./message.ts";
import { isOurs } from "./threads.ts";

// Machines that answer machines never come to an end: what no person has written is not answered, and becomes nothing.

const isListed = /^\s*(bulk|list|junk|auto_reply)\s*$/i;

export type Envelope = { envelopeFrom: string; recipients: readonly string[] };

/** Why nothing is done about a message; null: a person seems to have written it. */
export function whyIgnored(message: Message, envelope: Envelope, ownSender: string | null): string | null {
  const submitted = headerNamed(message, "auto-submitted");
  if (submitted !== null && !/^no\b/i.test(submitted)) return "it was sent automatically";
  if (headersNamed(message, "precedence").some((value) => isListed.test(value))) return "it was sent in bulk";
  const suppressed = headerNamed(message, "x-auto-response-suppress");
  if (suppressed !== null && !/^none$/i.test(suppressed)) return "it was sent automatically";
  if (headerNamed(message, "x-loop") !== null) return "it has been here before";
  const returnPath = headerNamed(message, "return-path");
  if (envelope.envelopeFrom === "" || returnPath === "<>" || returnPath === "") return "it has no return address";
  if (message.messageId !== null && isOurs(message.messageId)) return "we have sent it ourselves";
  const from = message.from?.address.toLowerCase();
  const own = [ownSender, ...envelope.recipients].map((address) => address?.toLowerCase());
  return from !== undefined && own.includes(from) ? "we have sent it ourselves" : null;
}

/** Whether somebody waits for an answer at the address it came from. */
export const isFromList = (message: Message): boolean =>
  ["list-id", "list-post", "list-unsubscribe", "mailing-list"].some((name) => headerNamed(message, name) !== null);
