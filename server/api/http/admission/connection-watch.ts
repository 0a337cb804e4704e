import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Admission, Party } from "../../../base/admission.ts";
import { unmapIpv4 } from "../origin.ts";

// Closes connections whose client neither reads an answer nor sends the rest of a body. A timer looks at all connections, so
// calls pay nothing for it.

/** A client that receives less than this within the time is as good as gone. */
const leastProgress = 1024;
const looksPerLimit = 4;

/** Bytes that the client took or sent, and when there was progress last. */
type Progress = { bytes: number; since: number };

/** The counters of libuv, which Node's type definitions leave out. */
type Handle = { bytesWritten: number; writeQueueSize: number };

export class ConnectionWatch {
  private readonly admission: Admission;
  private readonly limit: number;
  private readonly isProxy: (socket: Socket) => boolean;
  private readonly open = new Map<Socket, Progress>();
  private readonly bodies = new Map<IncomingMessage, Progress>();

  constructor(admission: Admission, stallSeconds: number, isProxy: (socket: Socket) => boolean) {
    this.admission = admission;
    this.limit = stallSeconds * 1000;
    this.isProxy = isProxy;
  }

  attach(server: Server): void {
    // Also a TLS server emits this event with the plain socket below the encrypted one.
    server.on("connection", (socket: Socket) => this.accept(socket));
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

  /** The body of this request has to arrive. */
  expectBody(request: IncomingMessage): void {
    this.bodies.set(request, { bytes: request.socket.bytesRead, since: performance.now() });
  }

  forgetBody(request: IncomingMessage): void {
    this.bodies.delete(request);
  }

  private look(now: number): void {
    this.admission.removeIdle(now);
    if (this.limit === 0) return;
    for (const [socket, progress] of this.open) if (this.isUnread(socket, progress, now)) socket.destroy();
    for (const [request, progress] of this.bodies)
      if (!request.complete && this.isUnsent(request, progress, now)) request.socket.destroy();
  }

  private isUnread(socket: Socket, progress: Progress, now: number): boolean {
    const handle = (socket as unknown as { _handle: Handle | null })._handle;
    if (handle === null || handle === undefined) return false;
    const waiting = handle.writeQueueSize;
    return this.isStalled(progress, handle.bytesWritten - waiting, waiting === 0, now);
  }

  private isUnsent(request: IncomingMessage, progress: Progress, now: number): boolean {
    // Bytes that wait to be read here are no fault of the client.
    return this.isStalled(progress, request.socket.bytesRead, request.readableLength > 0, now);
  }

  private isStalled(progress: Progress, bytes: number, isFine: boolean, now: number): boolean {
    if (isFine || bytes - progress.bytes >= leastProgress) {
      progress.bytes = bytes;
      progress.since = now;
      return false;
    }
    return now - progress.since >= this.limit;
  }
}
