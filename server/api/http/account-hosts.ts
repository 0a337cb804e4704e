import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Configuration } from "../../base/configuration.ts";
import { getAccountOfHost } from "./origin.ts";

// CO29: at the host of an account, addresses are those below /a/<account>. Calls by webhook receivers are served directly.
// Pages are redirected to the folder, which the web application knows; the host stays.

const forReceivers = /^\/(?:webhooks\/\d+\/verify|webhook_policies\/[^/?]+\/(?:jwks|\.well-known\/))/;

/** The URL of a request, within the folder of the account where a receiver of webhooks asks for it. */
export function addAccountFolder(configuration: Configuration, request: IncomingMessage): string {
  const url = request.url ?? "/";
  if (configuration.accountUrl === null) return url;
  const account = getAccountOfHost(configuration, request);
  if (account === null) return url;
  return forReceivers.test(url) ? `/a/${account}${url}` : url;
}

/** Whether a browser asks for a page at the host of an account, without the folder. */
export const isPageOfAccountHost = (configuration: Configuration, request: FastifyRequest): boolean =>
  request.method === "GET" &&
  !request.url.startsWith("/a/") &&
  /text\/html|\*\/\*/.test(request.headers.accept ?? "*/*") &&
  getAccountOfHost(configuration, request.raw) !== null;

export const redirectToAccountFolder = (
  configuration: Configuration,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  reply.redirect(`/a/${getAccountOfHost(configuration, request.raw)}/${request.url.replace(/^\/+/, "")}`, 302);
