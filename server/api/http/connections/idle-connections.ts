import type { Server } from "node:http";
import type { Socket } from "node:net";

// A server that stops waits for what is being answered, and for nothing else. Node ends idle connections once, when it stops
// accepting: those that become idle later, and those over which no request ever came (browsers open some in advance), would
// keep it open for a minute.

const sweepInterval = 50; // milliseconds

/** Returns what is to be called when the server stops; it ends by itself once the server is closed. */
export function prepareSweep(server: Server): () => void {
  const unused = new Set<Socket>();
  const isTls = "setSecureContext" in server;
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return () => {
    const sweep = (): void => {
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    };
    sweep();
    const timer = setInterval(sweep, sweepInterval);
    server.once("close", () => clearInterval(timer));
  };
}
