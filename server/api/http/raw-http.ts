import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getClientAddress, isSecure, unmapIpv4 } from "./origin.ts";
import type { Api } from "./pipeline.ts";
import type { RateLimitStatus } from "./rate-limit.ts";

// Refuses requests that never reach the framework, with the same headers and body as all other errors.

const statusTexts: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
};

const buildErrorHeaders = (rateLimit: RateLimitStatus, id: string): Record<string, string> => ({
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Request-Id": id,
  "X-RateLimit-Limit": String(rateLimit.limit),
  "X-RateLimit-Remaining": String(rateLimit.remaining),
  "X-RateLimit-Reset": String(rateLimit.reset),
  Connection: "close",
});

/** Connections that wait for their refusal. */
const refused = new WeakSet<Socket>();

/** For requests that Node's parser rejects. There is no response object, so the response is written to the socket. */
export function refuseMalformedRequest(api: Api, nextId: () => string, error: { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // Node parses on after an error: each further packet would be an error of its own.
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.pause();
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const rateLimit = api.limiter.local.count(`address ${socket.remoteAddress ?? ""}`);
  const body = JSON.stringify({ message: statusTexts[status] });
  const headers = { ...buildErrorHeaders(rateLimit, nextId()), "Content-Length": String(Buffer.byteLength(body)) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const answer = `HTTP/1.1 ${status} ${statusTexts[status]}\r\n${head.join("\r\n")}\r\n\r\n${body}`;
  // Noise is refused like other calls: a client that keeps sending it waits.
  api.admission.delayRefusalAt(unmapIpv4(socket.remoteAddress), () => socket.end(answer));
}

/** Expect headers other than 100-continue are not supported. */
export function refuseExpectations(api: Api, nextId: () => string, server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const rateLimit = api.limiter.local.count(`address ${getClientAddress(api.configuration, request)}`);
    const status = isSecure(api.configuration, request) ? 417 : 403;
    const body = JSON.stringify({ message: statusTexts[status] ?? "Forbidden" });
    response.writeHead(status, {
      ...buildErrorHeaders(rateLimit, nextId()),
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  });
}

/** Removes the scheme and host of an absolute target, trailing slashes and `.json`. */
export function normalizePath(url: string, prefix: string): string {
  const target = /^https?:\/\/[^/?#]*/i.exec(url);
  const local = target === null ? url : url.slice(target[0].length) || "/";
  const at = local.indexOf("?");
  let path = at < 0 ? local : local.slice(0, at);
  if (path !== prefix && !path.startsWith(`${prefix}/`) && !path.startsWith(`${prefix}.json`)) return local;
  path = stripTrailingSlashes(path);
  if (path.endsWith(".json")) path = path.slice(0, -".json".length);
  return path + (at < 0 ? "" : local.slice(at));
}

/** A loop, because a regular expression takes quadratic time for thousands of slashes. */
function stripTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--;
  return path.slice(0, end);
}
