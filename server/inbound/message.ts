// A mail as far as we care, once its MIME parts were read. It comes from a thread of its own: nothing here but data.

export const mostFiles = 20;

export type Address = { name: string; address: string };

export const isAddress = (text: string): boolean => /^[^\s@<>",;]{1,64}@[^\s@<>"',;]{1,190}$/.test(text);

/** `place`: what stands in the text where an inline image belongs; its key takes the place */
export type MailFile = { name: string; content: Uint8Array<ArrayBuffer>; place: string | null };

export type Message = {
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
  answers: readonly string[];
  /** in our own markup */
  text: string;
  /** the text without what it quotes, for answers */
  reply: string;
  /** the plain text as it was sent, where there is such a part */
  plain: string | null;
  /** whether `text` was made from HTML */
  isHtml: boolean;
  files: readonly MailFile[];
  /** how many further files there were */
  filesLeftOut: number;
};

/** A message that cannot be understood, or only at a cost that nobody should be able to cause. */
export class Unreadable extends Error {}

export const headersNamed = ({ headers }: Message, name: string): string[] =>
  headers.filter(([key]) => key === name).map(([, value]) => value);
export const headerNamed = (message: Message, ...names: string[]): string | null => {
  for (const name of names) {
    const [value] = headersNamed(message, name);
    if (value !== undefined) return value.trim();
  }
  return null;
};
