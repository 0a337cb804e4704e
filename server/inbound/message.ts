// A mail as far as we care, once its MIME parts were read. It comes from a thread of its own: nothing here but data.

export const maxFiles = 20;

export type Address = { name: string; address: string };

export const isAddress = (text: string): boolean => /^[^\s@<>",;]{1,64}@[^\s@<>"',;]{1,190}$/.test(text);

/** `place`: what stands in the text where an inline image belongs; its key takes the place */
export type MailFile = { name: string; content: Uint8Array<ArrayBuffer>; placeholder: string | null };

export type InboundMessage = {
  /** in the order of the message, names in small letters */
  headers: readonly (readonly [string, string])[];
  /** null: there is none, or there are several */
  from: Address | null;
  to: string;
  cc: string;
  subject: string;
  /** with its angle brackets; null when there is none */
  messageId: string | null;
  /** the messages it answers, the nearest first */
  inReplyTo: readonly string[];
  /** in our own markup */
  text: string;
  /** the text without what it quotes, for answers */
  reply: string;
  /** the plain text as it was sent, where there is such a part */
  plainText: string | null;
  /** whether `text` was made from HTML */
  isHtml: boolean;
  files: readonly MailFile[];
  /** how many further files there were */
  omittedFiles: number;
};

/** A message that cannot be understood, or only at a cost that nobody should be able to cause. */
export class UnreadableMessage extends Error {}

export const getHeaders = ({ headers }: InboundMessage, name: string): string[] =>
  headers.filter(([key]) => key === name).map(([, value]) => value);
export const getHeader = (message: InboundMessage, ...names: string[]): string | null => {
  for (const name of names) {
    const [value] = getHeaders(message, name);
    if (value !== undefined) return value.trim();
  }
  return null;
};
