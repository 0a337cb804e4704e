import type { ConnectionPools } from "../../webhooks/connection-pools.ts";
import { isPortOfAnotherProtocol } from "../../webhooks/ports.ts";

// Calls of identity providers. Their addresses come from administrators and from the providers themselves, so they get the
// protection of webhooks: only allowed addresses, no redirects, a limit of time and of size.

export const timeLimitSeconds = 5;
const maxBytes = 524_288;

/** Its message may be shown to administrators. */
export class CallRefused extends Error {}

type FetchOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};
export type GuardedFetch = (address: string, options?: FetchOptions) => Promise<Response>;

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Plain HTTP is for providers on the same machine, where no one can eavesdrop. */
export const isSecureAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && loopback.test(hostname));
};

export function createGuardedFetch(connections: ConnectionPools): GuardedFetch {
  return async (address, { method = "GET", headers = {}, body, signal } = {}) => {
    const url = new URL(address);
    if (!isSecureAddress(address)) throw new CallRefused("the address must begin with https://");
    if (isPortOfAnotherProtocol(url.port)) throw new CallRefused("the address has the port of another protocol");
    const limit = AbortSignal.timeout(timeLimitSeconds * 1000);
    const answer = await connections.getPool(url.origin).request({
      method: method as "GET" | "POST",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers },
      body: body === undefined || body === null ? null : String(body),
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const content = await readBody(answer.body);
    const hasNoBody = [204, 205, 304].includes(answer.statusCode);
    return new Response(hasNoBody ? null : content, {
      status: answer.statusCode,
      headers: { "content-type": String(answer.headers["content-type"] ?? "") },
    });
  };
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new CallRefused("the response is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
