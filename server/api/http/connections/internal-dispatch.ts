import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

// Calls that this server makes to itself on behalf of a call that is in progress. They have the connection of that call: its
// address, whether it is encrypted, and that it was closed. A header with a key that exists only while the call is handed over
// carries the connection; a client cannot know the key (D-776).

const keyHeader = "x-dispatch-key";
const connections = new Map<string, Socket>();

export type DispatchedResponse = { status: number; headers: IncomingHttpHeaders; body: Readable };

const passedHeaders = [
  ...["authorization", "account", "accept-language", "host", "user-agent"],
  // The server trusts these only from a proxy, which it recognizes by the connection.
  ...["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"],
];

/** GETs the path as the client of the outer call. */
export async function dispatchRead(
  app: FastifyInstance,
  outer: IncomingMessage,
  path: string,
): Promise<DispatchedResponse> {
  const key = randomUUID();
  const headers: Record<string, string> = { accept: "application/json", [keyHeader]: key };
  for (const name of passedHeaders) {
    const value = outer.headers[name];
    if (value !== undefined) headers[name] = String(value);
  }
  connections.set(key, outer.socket);
  try {
    const response = await app.inject({ method: "GET", url: path, headers, payloadAsStream: true });
    return { status: response.statusCode, headers: response.headers as IncomingHttpHeaders, body: response.stream() };
  } finally {
    connections.delete(key);
  }
}

/** Gives a dispatched call the connection of its client. Every call passes here before anything looks at its connection. */
export function adoptConnection(request: IncomingMessage): void {
  const key = request.headers[keyHeader];
  if (key === undefined) return;
  delete request.headers[keyHeader];
  const socket = connections.get(String(key));
  if (socket === undefined) return;
  connections.delete(String(key));
  request.socket = socket;
}
