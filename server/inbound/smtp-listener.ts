import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { Admission } from "../base/admission.ts";
import { OperatorError } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { findDestination } from "./destinations.ts";
import { extractHeader, maxHeaderBytes } from "./envelope.ts";
import type { Inbox } from "./inbound-context.ts";
import { MailSpool } from "./mail-spool.ts";
import { storeReceivedMail } from "./received-mails.ts";

// Receives mail over SMTP. A message is acknowledged after it is stored: a client that gets no answer sends it again.

// biome-ignore format: a table keeps its columns
const limits = {
  connections:        50,
  perAddress:         10,       // connections
  recipients:         100,      // per message
  unknownRecipients:  10,       // per connection
  messages:           100,      // per connection
  commands:           1000,     // per connection
  idle:               60_000,   // milliseconds
  lifetime:           600_000,  // milliseconds of a connection
  bytes:              67_108_864, // of all messages that are being received; at least one of the largest size
};

type Tls = { cert: string; key: string } | null;
type Callback = (error?: Error | null) => void;

const buildSmtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

const tooBusy = (): Error => buildSmtpError(451, "Too busy: please try again later");

export class MailListener {
  private readonly inbox: Inbox;
  private readonly server: SMTPServer;
  private readonly admission: Admission;
  private readonly counts = new Map<string, { commands: number; unknown: number; messages: number }>();

  constructor(inbox: Inbox, tls: Tls) {
    this.inbox = inbox;
    this.admission = new Admission({
      connectionsPerAddress: limits.perAddress,
      callsPerAddress: 0,
      callsPerPerson: 0,
      bytes: Math.max(limits.bytes, inbox.settings.size),
      bytesPerAddress: 0,
      rate: null,
    });
    const secured = tls === null ? {} : { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
    this.server = new SMTPServer({
      name: `mail.${inbox.domain}`,
      banner: "Steward",
      size: inbox.settings.size,
      ...secured,
      // Without a certificate the package would use its built-in one, whose key is public.
      disabledCommands: tls === null ? ["AUTH", "STARTTLS"] : ["AUTH"],
      disableReverseLookup: true,
      maxClients: limits.connections,
      socketTimeout: limits.idle,
      closeTimeout: 2000,
      logger: this.counter() as never,
      onConnect: (session, done) => this.connect(session, done),
      onClose: (session, done) => this.close(session, done),
      onMailFrom: (sender, session, done) => this.mailFrom(sender, session, done),
      onRcptTo: ({ address }, session, done) => void this.recipient(address, session, done),
      onData: (stream, session, done) => void this.data(stream, session, done),
    });
    this.server.on("error", (error) => inbox.log.error("a mail connection failed", describeError(error)));
    this.server.server.on("connection", limitLifetime);
  }

  /** Returns the port. */
  async start(): Promise<number> {
    const { host, port } = this.inbox.settings;
    await new Promise<void>((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port ?? 0));
      this.server.server.once("error", onError);
      this.server.listen(port ?? 0, host, () => {
        this.server.server.off("error", onError);
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
    this.counts.set(id, { commands: 0, unknown: 0, messages: 0 });
    const isAdmitted = this.admission.openConnection(this.admission.getAddress(remoteAddress));
    done(isAdmitted ? null : buildSmtpError(421, "Too many connections from your address"));
  }

  private close({ id, remoteAddress }: SMTPServerSession, done: Callback): void {
    if (this.counts.delete(id)) {
      this.admission.closeConnection(this.admission.getAddress(remoteAddress));
      this.admission.removeIdle();
    }
    done?.();
  }

  /** A client that says how large its message is gets the refusal before it sends it. */
  private mailFrom({ args }: SMTPServerAddress, { id }: SMTPServerSession, done: Callback): void {
    const count = this.counts.get(id);
    const size = Number((args as { SIZE?: string } | undefined)?.SIZE ?? 0) || 0;
    if (count !== undefined && ++count.messages > limits.messages) done(buildSmtpError(421, "Too many messages"));
    else if (!this.admission.hasRoomFor(size)) done(tooBusy());
    else done();
  }

  private async recipient(address: string, { id, envelope }: SMTPServerSession, done: Callback): Promise<void> {
    if (envelope.rcptTo.length >= limits.recipients) return done(buildSmtpError(452, "Too many recipients"));
    const { database } = this.inbox.engine;
    try {
      const destination = await findDestination({ query: (...parameters) => database.read(...parameters) }, address);
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
    const party = this.admission.getAddress(session.remoteAddress);
    const spool = new MailSpool(() => this.inbox.files.openTemporary());
    let length = 0;
    let refusal: Error | null = null;
    const release = () => {
      this.admission.releaseBytes(party, length);
      length = 0;
    };
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (stream.sizeExceeded) refusal = buildSmtpError(552, `Messages may have at most ${size} bytes`);
        else if (refusal === null && !this.admission.hasRoomFor(chunk.length)) refusal = tooBusy();
        if (refusal !== null) {
          release();
          // The connection of a client that keeps sending after the refusal is closed.
          if (stream.byteLength > 2 * size) this.disconnect(session.id);
          continue;
        }
        length += chunk.length;
        this.admission.addBytes(party, chunk.length);
        await spool.write(chunk);
      }
      if (refusal === null) refusal = await this.store(spool, session);
      done(refusal);
    } catch (error) {
      // A client that goes away in the middle of a message is nothing to report.
      if (stream.readableEnded) this.inbox.log.error("a mail could not be stored", describeError(error));
      done(buildSmtpError(451, "Please try again later"));
    } finally {
      release();
      await spool.close();
    }
  }

  private async store(raw: MailSpool, { envelope }: SMTPServerSession): Promise<Error | null> {
    if (extractHeader(raw.readStart().subarray(0, maxHeaderBytes + 4)).length > maxHeaderBytes)
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

  /** The package reports commands to its logger only, so a logger counts them. */
  private counter() {
    const ignore = () => {};
    const count = (entry: { tnx?: string; cid?: string }) => {
      const counted = entry.tnx === "command" ? this.counts.get(entry.cid ?? "") : undefined;
      if (counted !== undefined && ++counted.commands > limits.commands) this.disconnect(entry.cid as string);
    };
    return { level: ignore, trace: ignore, debug: count, info: ignore, warn: ignore, error: ignore, fatal: ignore };
  }
}

/** A client that sends one byte at a time stays below the idle limit. */
function limitLifetime(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), limits.lifetime);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === "EADDRINUSE")
    return new OperatorError(`Port ${port} on ${host} is already in use. Set MAIL_PORT to another port.`, {
      cause: error,
    });
  if (error.code === "EACCES")
    return new OperatorError(`No permission to use port ${port}. Set MAIL_PORT to a port above 1023.`, {
      cause: error,
    });
  return error;
}
