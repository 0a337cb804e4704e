import PostalMime, { addressParser } from "postal-mime";
import { Unreadable } from "./message.ts";
import type { Arrival } from "./received.ts";

// Who a message is from and to, for whoever has no envelope: a file, or a mail server that keeps it in the header.

export const largestHeader = 262_144;

/** Up to the first empty line. */
export function headerOf(raw: Buffer): Buffer {
  const ends = [raw.indexOf("\r\n\r\n"), raw.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? raw : raw.subarray(0, Math.min(...ends));
}

const receivers = ["delivered-to", "x-original-to", "envelope-to", "to", "cc"];

export async function envelopeIn(raw: Buffer): Promise<Omit<Arrival, "raw">> {
  const header = headerOf(raw);
  if (header.length > largestHeader) throw new Unreadable(`its header has more than ${largestHeader} bytes`);
  const { headers, from } = await PostalMime.parse(Buffer.concat([header, Buffer.from("\r\n\r\n")]));
  const addressesIn = (value: string) =>
    addressParser(value, { flatten: true }).flatMap(({ address }) => address ?? []);
  const recipients = headers.filter(({ key }) => receivers.includes(key)).flatMap(({ value }) => addressesIn(value));
  const returnPath = headers.find(({ key }) => key === "return-path")?.value;
  const envelopeFrom = returnPath === undefined ? (from?.address ?? "") : (addressesIn(returnPath)[0] ?? "");
  return { envelopeFrom, recipients: [...new Set(recipients)].slice(0, 100) };
}
