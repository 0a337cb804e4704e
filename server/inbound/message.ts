// A parsed mail. Another process parses and sends it, so it consists of plain data.

export const maxFiles = 20;

export type Address = { name: string; address: string };

export const isAddress = (text: string): boolean => /^[^\s@<>",;]{1,64}@[^\s@<>"',;]{1,190}$/.test(text);

/** `placeholder`: the text at the position of an inline image, to be replaced by the key of the stored file */
export type MailFile = { name: string; content: Uint8Array<ArrayBuffer>; placeholder: string | null };

export type InboundMessage = {
  /** in the order of the message, with lower-case names */
  headers: readonly (readonly [string, string])[];
  /** null: none or several */
  from: Address | null;
  to: string;
  cc: string;
  subject: string;
  /** with its angle brackets */
  messageId: string | null;
  /** Message-IDs of the messages it answers, the nearest first */
  inReplyTo: readonly string[];
  /** in our own markup */
  text: string;
  /** `text` without quoted messages */
  reply: string;
  /** the text/plain part as it was sent */
  plainText: string | null;
  /** whether `text` was made from HTML */
  isHtml: boolean;
  files: readonly MailFile[];
  /** number of files beyond the limits */
  omittedFiles: number;
};

/** A message that cannot be parsed within the limits of time and memory. */
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
