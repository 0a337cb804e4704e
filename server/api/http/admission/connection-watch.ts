import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Admission, Party } from "../../../base/admission.ts";
import { unmapIpv4 } from "../origin.ts";

// Closes connections whose client neither reads an answer nor sends the rest of a body. A timer looks at all connections, so
// calls pay nothing for it.

/** A client that receives or sends fewer bytes than this within the time is as good as gone. */
const leastProgress = 1024;
/** A body may take as long as it needs while data arrives: after this time, a minimum number of bytes a second is required. */
const slowStart = 60_000;
const leastBytesPerSecond = 1024;
const looksPerLimit = 4;

/** Bytes that the client took or sent, and when there was progress last. */
type Progress = { bytes: number; since: number };
type Body = Progress & { startedAt: number };

/** The counters of libuv, which Node's type definitions leave out. */
type Handle = { bytesWritten: number; writeQueueSize: number };

export class ConnectionWatch {
  private readonly admission: Admission;
  private readonly limit: number;
  private readonly isProxy: (socket: Socket) => boolean;
  private readonly open = new Map<Socket, Progress>();
  private readonly bodies = new Map<IncomingMessage, Body>();

  constructor(admission: Admission, stallSeconds: number, isProxy: (socket: Socket) => boolean) {
    this.admission = admission;
    this.limit = stallSeconds * 1000;
    this.isProxy = isProxy;
  }

  attach(server: Server): void {
    // Also a TLS server emits this event with the plain socket below the encrypted one.
    server.on("connection", (socket: Socket) => this.accept(socket));
    server.on("request", (request: IncomingMessage) => this.expectBody(request));
    const every = this.limit === 0 ? 10_000 : this.limit / looksPerLimit;
    const timer = setInterval(() => this.look(performance.now()), every).unref();
    server.on("close", () => clearInterval(timer));
  }

  private accept(socket: Socket): void {
    const party = this.isProxy(socket) ? null : this.admission.getAddress(unmapIpv4(socket.remoteAddress));
    const isAdmitted = party === null || this.admission.openConnection(party);
    this.open.set(socket, { bytes: 0, since: performance.now() });
    socket.once("close", () => this.forget(socket, party));
    if (!isAdmitted) socket.destroy();
  }

  private forget(socket: Socket, party: Party | null): void {
    this.open.delete(socket);
    if (party !== null) this.admission.closeConnection(party);
  }

  /** The body of a request has to arrive, also when the answer was given without it: the connection is in use until then. */
  private expectBody(request: IncomingMessage): void {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === "0")) return;
    const now = performance.now();
    this.bodies.set(request, { bytes: request.socket.bytesRead, since: now, startedAt: now });
    request.once("close", () => this.bodies.delete(request));
  }

  /** Closes what is stalled at the moment `now` of the monotonic clock. */
  look(now: number): void {
    this.admission.removeIdle(now);
    if (this.limit === 0) return;
    for (const [socket, progress] of this.open) if (this.isUnread(socket, progress, now)) socket.destroy();
    for (const [request, body] of this.bodies)
      if (request.complete) this.bodies.delete(request);
      else if (this.isUnsent(request, body, now)) request.socket.destroy();
  }

  private isUnread(socket: Socket, progress: Progress, now: number): boolean {
    const handle = (socket as unknown as { _handle: Handle | null })._handle;
    if (handle === null || handle === undefined) return false;
    const waiting = handle.writeQueueSize;
    return this.isStalled(progress, handle.bytesWritten - waiting, waiting === 0, leastProgress, now);
  }

  private isUnsent(request: IncomingMessage, body: Body, now: number): boolean {
    const isYoung = now - body.startedAt < slowStart;
    const least = isYoung ? leastProgress : (leastBytesPerSecond * this.limit) / 1000;
    // Bytes that wait to be read here are no fault of the client.
    return this.isStalled(body, request.socket.bytesRead, request.readableLength > 0, least, now);
  }

  private isStalled(progress: Progress, bytes: number, isFine: boolean, least: number, now: number): boolean {
    if (isFine || bytes - progress.bytes >= least) {
      progress.bytes = bytes;
      progress.since = now;
      return false;
    }
    return now - progress.since >= this.limit;
  }
}
