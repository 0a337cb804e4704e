import PostalMime, { addressParser } from "postal-mime";
import { UnreadableMessage } from "./message.ts";
import type { IncomingMail } from "./received-mails.ts";

// Reconstructs the SMTP envelope from the header, for messages that arrive without one (a file, or another mail server).

export const maxHeaderBytes = 262_144;

/** Up to the first empty line. */
export function extractHeader(raw: Buffer): Buffer {
  const ends = [raw.indexOf("\r\n\r\n"), raw.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? raw : raw.subarray(0, Math.min(...ends));
}

const recipientHeaders = ["delivered-to", "x-original-to", "envelope-to", "to", "cc"];

export async function parseEnvelope(raw: Buffer): Promise<Omit<IncomingMail, "raw">> {
  const header = extractHeader(raw);
  if (header.length > maxHeaderBytes) throw new UnreadableMessage(`its header has more than ${maxHeaderBytes} bytes`);
  const { headers, from } = await PostalMime.parse(Buffer.concat([header, Buffer.from("\r\n\r\n")]));
  const addressesIn = (value: string) =>
    addressParser(value, { flatten: true }).flatMap(({ address }) => address ?? []);
  const recipients = headers
    .filter(({ key }) => recipientHeaders.includes(key))
    .flatMap(({ value }) => addressesIn(value));
  const returnPath = headers.find(({ key }) => key === "return-path")?.value;
  const envelopeFrom = returnPath === undefined ? (from?.address ?? "") : (addressesIn(returnPath)[0] ?? "");
  return { envelopeFrom, recipients: [...new Set(recipients)].slice(0, 100) };
}
