import type { Readable } from "node:stream";
import { OperatorError } from "../base/errors.ts";
import { parseEnvelope } from "../inbound/envelope.ts";
import { toMailSource } from "../inbound/mail-spool.ts";
import { UnreadableMessage } from "../inbound/message.ts";
import { storeReceivedMail } from "../inbound/received-mails.ts";
import { defineCommand, loadConfiguration, UsageError } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const mail = defineCommand({
  name: "mail",
  summary: "Receive an email from standard input and print its ID.",
  details:
    "Stores the email once per account it is addressed to; the server processes it within a second.\n" +
    "For mail servers that pipe messages to a program. Exits with 0 if the email is stored, 1 if it is not.",
  options: {
    to: { value: "ADDRESSES", help: "recipients, separated by commas (default: from the header)" },
    from: { value: "ADDRESS", help: "envelope sender, <> for none (default: Return-Path or From)" },
  },
  example: `${program} mail < message.eml`,
  async run({ to, from }, terminal) {
    if (terminal.input.isTTY)
      throw new UsageError("Pass an email on standard input, for example: mail < message.eml", "mail");
    const configuration = loadConfiguration(terminal);
    const raw = await readAll(terminal.input, configuration.inboundMail.size);
    const envelope = await parseEnvelope(raw).catch((error) => {
      throw error instanceof UnreadableMessage
        ? new OperatorError(`The email can't be accepted: ${error.message}.`)
        : error;
    });
    const recipients = to === undefined ? envelope.recipients : to.split(",").map((address) => address.trim());
    const envelopeFrom = from === undefined ? envelope.envelopeFrom : from.replace(/^<|>$/g, "").trim();
    const ids = await withEngine(configuration, { whenNew: "refuse", say: terminal.say }, ({ database, clock }) =>
      storeReceivedMail(database, clock.now(), { raw: toMailSource(raw), envelopeFrom, recipients }),
    );
    if (ids.length === 0)
      throw new OperatorError(`No account or team uses any of these addresses: ${recipients.join(", ") || "(none)"}.`);
    for (const id of ids) terminal.print(String(id));
    return 0;
  },
});

async function readAll(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new OperatorError(`The email is larger than ${most} bytes (MAIL_SIZE).`);
    chunks.push(chunk);
  }
  if (size === 0) throw new OperatorError("No email on standard input.");
  return Buffer.concat(chunks);
}
