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
  summary: "Receive one mail from standard input and print the number it is stored under.",
  details:
    "The message is stored, one number per account that it is addressed to; the server handles it within a second.\n" +
    "For mail servers that hand messages to a program: exit code 0 says that it is stored, 1 that it is not.",
  options: {
    to: { value: "ADDRESSES", help: "who it is for, with commas between them; those in its header unless given" },
    from: { value: "ADDRESS", help: "where an answer may go, <> for nowhere; its Return-Path or From unless given" },
  },
  example: `${program} mail < message.eml`,
  async run({ to, from }, terminal) {
    if (terminal.input.isTTY) throw new UsageError("A message is read from standard input: mail < message.eml", "mail");
    const configuration = loadConfiguration(terminal);
    const raw = await readAll(terminal.input, configuration.inboundMail.size);
    const envelope = await parseEnvelope(raw).catch((error) => {
      throw error instanceof UnreadableMessage
        ? new OperatorError(`The message cannot be taken: ${error.message}.`)
        : error;
    });
    const recipients = to === undefined ? envelope.recipients : to.split(",").map((address) => address.trim());
    const envelopeFrom = from === undefined ? envelope.envelopeFrom : from.replace(/^<|>$/g, "").trim();
    const ids = await withEngine(configuration, { whenNew: "refuse", say: terminal.say }, ({ database, clock }) =>
      storeReceivedMail(database, clock.now(), { raw: toMailSource(raw), envelopeFrom, recipients }),
    );
    if (ids.length === 0)
      throw new OperatorError(
        `None of these is an address of an account or a team: ${recipients.join(", ") || "(nobody)"}.`,
      );
    for (const id of ids) terminal.print(String(id));
    return 0;
  },
});

async function readAll(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new OperatorError(`The message has more than ${most} bytes (MAIL_SIZE).`);
    chunks.push(chunk);
  }
  if (size === 0) throw new OperatorError("There is no message on standard input.");
  return Buffer.concat(chunks);
}
