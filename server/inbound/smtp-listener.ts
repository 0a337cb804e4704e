import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { OperatorError } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import type { Inbox } from "./context.ts";
import { findDestination } from "./destinations.ts";
import { extractHeader, maxHeaderBytes } from "./envelope.ts";
import { storeReceivedMail } from "./received-mails.ts";

// Mail that comes over SMTP. It is acknowledged once it is stored, not before; whoever never hears of that sends it again.

// biome-ignore format: a table keeps its columns
const limits = {
  connections:        50,
  ofOneAddress:       10,
  recipients:         100,      // of one message
  unknownRecipients:  10,       // of one connection
  messages:           100,      // of one connection
  commands:           1000,     // of one connection
  silence:            60_000,   // milliseconds without a word
  lifetime:           600_000,  // milliseconds of one connection
  inMemory:           4,        // messages of the largest size, at the same time
};

type Tls = { cert: string; key: string } | null;
type Callback = (error?: Error | null) => void;

const buildSmtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

export class MailListener {
  private readonly inbox: Inbox;
  private readonly server: SMTPServer;
  private readonly addresses = new Map<string, number>();
  private readonly counts = new Map<string, { commands: number; unknown: number; messages: number }>();
  private bytesInMemory = 0;

  constructor(inbox: Inbox, tls: Tls) {
    this.inbox = inbox;
    const secured = tls === null ? {} : { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
    this.server = new SMTPServer({
      name: `mail.${inbox.domain}`,
      banner: "Steward",
      size: inbox.settings.size,
      ...secured,
      // Without a certificate of its own the package would use one that everybody has.
      disabledCommands: tls === null ? ["AUTH", "STARTTLS"] : ["AUTH"],
      disableReverseLookup: true,
      maxClients: limits.connections,
      socketTimeout: limits.silence,
      closeTimeout: 2000,
      logger: this.counter() as never,
      onConnect: (session, done) => this.connect(session, done),
      onClose: (session, done) => this.close(session, done),
      onMailFrom: (_address, session, done) => this.mailFrom(session, done),
      onRcptTo: ({ address }, session, done) => void this.recipient(address, session, done),
      onData: (stream, session, done) => void this.data(stream, session, done),
    });
    this.server.on("error", (error) => inbox.log.error("a mail connection failed", describeError(error)));
    this.server.server.on("connection", limitLifetime);
  }

  /** Answers the port. */
  async start(): Promise<number> {
    const { host, port } = this.inbox.settings;
    await new Promise<void>((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port ?? 0));
      this.server.server.once("error", refuse);
      this.server.listen(port ?? 0, host, () => {
        this.server.server.off("error", refuse);
        resolve();
      });
    });
    return this.port;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo | null)?.port ?? 0;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private connect({ id, remoteAddress }: SMTPServerSession, done: Callback): void {
    const open = (this.addresses.get(remoteAddress) ?? 0) + 1;
    this.addresses.set(remoteAddress, open);
    this.counts.set(id, { commands: 0, unknown: 0, messages: 0 });
    done(open > limits.ofOneAddress ? buildSmtpError(421, "Too many connections from your address") : null);
  }

  private close({ id, remoteAddress }: SMTPServerSession, done: Callback): void {
    if (this.counts.delete(id)) {
      const open = (this.addresses.get(remoteAddress) ?? 1) - 1;
      if (open > 0) this.addresses.set(remoteAddress, open);
      else this.addresses.delete(remoteAddress);
    }
    done?.();
  }

  private mailFrom({ id }: SMTPServerSession, done: Callback): void {
    const count = this.counts.get(id);
    if (count !== undefined && ++count.messages > limits.messages) done(buildSmtpError(421, "Too many messages"));
    else done();
  }

  private async recipient(address: string, { id, envelope }: SMTPServerSession, done: Callback): Promise<void> {
    if (envelope.rcptTo.length >= limits.recipients) return done(buildSmtpError(452, "Too many recipients"));
    const { database } = this.inbox.engine;
    try {
      const destination = await findDestination({ query: (...asked) => database.read(...asked) }, address);
      if (destination !== null) return done();
      const count = this.counts.get(id);
      const isGuessing = count !== undefined && ++count.unknown > limits.unknownRecipients;
      done(
        isGuessing
          ? buildSmtpError(421, "Too many unknown recipients")
          : buildSmtpError(550, "There is no such address here"),
      );
    } catch (error) {
      this.inbox.log.error("a recipient could not be looked up", describeError(error));
      done(buildSmtpError(451, "Please try again later"));
    }
  }

  private async data(stream: SMTPServerDataStream, session: SMTPServerSession, done: Callback): Promise<void> {
    const { size } = this.inbox.settings;
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused: Error | null = null;
    const letGo = () => {
      this.bytesInMemory -= length;
      length = 0;
      chunks.length = 0;
    };
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (stream.sizeExceeded) isRefused = buildSmtpError(552, `Messages may have at most ${size} bytes`);
        else if (this.bytesInMemory + chunk.length > limits.inMemory * size)
          isRefused ??= buildSmtpError(451, "Too busy: please try again later");
        if (isRefused !== null) {
          letGo();
          // Who goes on sending what nobody takes is cut off.
          if (stream.byteLength > 2 * size) this.disconnect(session.id);
          continue;
        }
        chunks.push(chunk);
        length += chunk.length;
        this.bytesInMemory += chunk.length;
      }
      if (isRefused === null) isRefused = await this.store(Buffer.concat(chunks), session);
      done(isRefused);
    } catch (error) {
      this.inbox.log.error("a mail could not be stored", describeError(error));
      done(buildSmtpError(451, "Please try again later"));
    } finally {
      letGo();
    }
  }

  private async store(raw: Buffer, { envelope }: SMTPServerSession): Promise<Error | null> {
    if (extractHeader(raw).length > maxHeaderBytes)
      return buildSmtpError(552, `The header may have at most ${maxHeaderBytes} bytes`);
    const { engine } = this.inbox;
    const ids = await storeReceivedMail(engine.database, engine.clock.now(), {
      raw,
      envelopeFrom: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
      recipients: envelope.rcptTo.map(({ address }) => address),
    });
    if (ids.length === 0) return buildSmtpError(550, "There is no such address here");
    this.inbox.wake();
    return null;
  }

  private disconnect(id: string): void {
    for (const connection of this.server.connections as Set<{ id: string; _socket?: Socket }>)
      if (connection.id === id) connection._socket?.destroy();
  }

  /** The package says every command to its logger: that is where they can be counted. */
  private counter() {
    const quiet = () => {};
    const count = (entry: { tnx?: string; cid?: string }) => {
      const counted = entry.tnx === "command" ? this.counts.get(entry.cid ?? "") : undefined;
      if (counted !== undefined && ++counted.commands > limits.commands) this.disconnect(entry.cid as string);
    };
    return { level: quiet, trace: quiet, debug: count, info: quiet, warn: quiet, error: quiet, fatal: quiet };
  }
}

/** However slowly somebody speaks. */
function limitLifetime(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), limits.lifetime);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === "EADDRINUSE")
    return new OperatorError(`Port ${port} of ${host} is in use: choose another with MAIL_PORT.`, { cause: error });
  if (error.code === "EACCES")
    return new OperatorError(`Port ${port} needs rights that you do not have: choose one above 1023 with MAIL_PORT.`, {
      cause: error,
    });
  return error;
}
