import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

// One call at a time per connection. Node begins all requests that arrive in one packet at once, which may be hundreds; their
// answers are sent in order anyway, so the later ones lose nothing by waiting.

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { request: IncomingMessage; response: ServerResponse };

/** No honest client sends so many requests ahead. */
const maxWaiting = 1000;

export function serveOneByOne(server: Server): void {
  const handlers = server.listeners("request") as Handler[];
  server.removeAllListeners("request");
  /** those that wait for the call in progress of their connection */
  const queues = new WeakMap<Socket, Waiting[]>();

  const begin = ({ request, response }: Waiting, socket: Socket, queue: Waiting[]) => {
    response.once("close", () => {
      const next = queue.shift();
      if (next === undefined) queues.delete(socket);
      // Other connections have their turn in between.
      else if (!socket.destroyed) setImmediate(begin, next, socket, queue);
    });
    for (const handle of handlers) handle.call(server, request, response);
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (queue === undefined) {
      const own: Waiting[] = [];
      queues.set(socket, own);
      begin({ request, response }, socket, own);
    } else if (queue.push({ request, response }) > maxWaiting) socket.destroy();
  });
}
