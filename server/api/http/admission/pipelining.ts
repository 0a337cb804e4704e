import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Admission, Party } from "../../../base/admission.ts";

// One call at a time per connection. Node begins all requests of one packet at the same time, which may be hundreds; their
// responses are sent in order anyway, so the later ones lose nothing by waiting. Waiting requests count in the memory of
// their address, and the server stops reading from a connection with several (D-775).

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { request: IncomingMessage; response: ServerResponse; bytes: number; party: Party };
type Connection = { waiting: Waiting[]; isBusy: boolean; isPaused: boolean; isWatched: boolean };

/** While so many requests wait, nothing more is read from their connection. */
const pauseAt = 8;
/** A packet may hold more, which Node has parsed by then. No honest client sends so many requests ahead. */
const maxWaiting = 200;
/** The objects of a request and its response; its head is counted twice, as bytes and as headers. */
const objectBytes = 3000;

const estimateBytes = ({ url, rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + 2 * length, objectBytes + 2 * (url?.length ?? 0));

/**
 * Closes the connection. The packet that the parser is reading may hold thousands of further requests: Node would make a
 * request, a response and an error of each.
 */
function closeUnparsed(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming: (() => number) | null } | null };
  if (parser != null) parser.onIncoming = () => 0;
  socket.destroy();
}

class RequestQueue {
  private readonly server: Server;
  private readonly handlers: readonly Handler[];
  private readonly admission: Admission;
  private readonly getAddress: (request: IncomingMessage) => Party;
  private readonly connections = new WeakMap<Socket, Connection>();

  constructor(
    server: Server,
    handlers: readonly Handler[],
    admission: Admission,
    getAddress: (request: IncomingMessage) => Party,
  ) {
    this.server = server;
    this.handlers = handlers;
    this.admission = admission;
    this.getAddress = getAddress;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = { waiting: [], isBusy: false, isPaused: false, isWatched: false };
      this.connections.set(socket, connection);
    }
    if (connection.isBusy) this.wait(connection, request, response);
    else this.begin(connection, request, response);
  }

  private begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.isBusy = true;
    response.once("close", () => this.continue(connection, request.socket));
    for (const handle of this.handlers) handle.call(this.server, request, response);
  }

  private wait(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Requests that Node had parsed when the connection was closed.
    if (socket.destroyed) return;
    const [party, bytes] = [this.getAddress(request), estimateBytes(request)];
    if (connection.waiting.length >= maxWaiting || this.admission.reserveBytes(party, bytes) !== null) {
      closeUnparsed(socket);
      return;
    }
    connection.waiting.push({ request, response, bytes, party });
    if (!connection.isWatched) {
      connection.isWatched = true;
      socket.once("close", () => {
        for (const each of connection.waiting.splice(0)) this.admission.releaseBytes(each.party, each.bytes);
      });
    }
    this.pauseOrResume(connection, socket);
  }

  /** The next one begins in a turn of its own: other connections have their turn in between. */
  private continue(connection: Connection, socket: Socket): void {
    connection.isBusy = false;
    if (connection.waiting.length > 0 && !socket.destroyed) {
      connection.isBusy = true;
      setImmediate(() => this.beginNext(connection, socket));
    }
  }

  private beginNext(connection: Connection, socket: Socket): void {
    const next = connection.waiting.shift();
    if (next === undefined) return;
    this.admission.releaseBytes(next.party, next.bytes);
    this.pauseOrResume(connection, socket);
    this.begin(connection, next.request, next.response);
  }

  /** Also again while it is paused: Node reads on after every answer. */
  private pauseOrResume(connection: Connection, socket: Socket): void {
    if (connection.waiting.length >= pauseAt) {
      connection.isPaused = true;
      socket.pause();
    } else if (connection.isPaused) {
      connection.isPaused = false;
      socket.resume();
    }
  }
}

export function serveOneByOne(
  server: Server,
  admission: Admission,
  getAddress: (request: IncomingMessage) => Party,
): void {
  const queue = new RequestQueue(server, server.listeners("request") as Handler[], admission, getAddress);
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => queue.add(request, response));
}
