import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  BadRequest,
  Forbidden,
  NotFound,
  TimedOut,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnsupportedType,
} from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { ScimError } from "../errors.ts";
import { groupResource } from "../schema/group.ts";
import { userResource } from "../schema/user.ts";
import type { Scim } from "../scim-context.ts";
import { authenticate } from "./authenticate.ts";
import { readBody, type ScimAnswer, type ScimCall } from "./call.ts";
import { findDiscovery, isDiscovery } from "./discovery.ts";
import { answerCollection, answerResource, answerSearch, refuseMethod, resourceOf } from "./resource-calls.ts";

// SCIM 2.0 over HTTP: everything below /scim and /scim/v2.

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const scimEndpoint = (scim: Scim) => async (app: FastifyInstance) => {
  app.setErrorHandler((error, _request, reply) => sendError(scim, error, reply));
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const words = readPath(request.url);
    const isSearch = words.at(-1) === ".search";
    const actor = await authenticate(scim, request, isSearch);
    const answer = await answerCall({
      ...{ scim, actor, method: request.method, words, headers: request.headers },
      query: new URLSearchParams(request.url.split("?")[1] ?? ""),
      base: `${scim.getOrigin(request)}/scim/v2`,
      readBody: () => readBody(scim, request.body, request.headers["content-type"] ?? ""),
    });
    return send(reply, answer);
  };
  for (const url of ["/scim", "/scim/*"]) app.route({ method: methods, url, handler });
};

/** The words of a path below the base. Clients that add a prefix of their own send it twice. */
function readPath(url: string): string[] {
  const path = /^[^?#]*/.exec(url)?.[0] ?? "";
  const words = path
    .split("/")
    .filter((word) => word !== "")
    .map(decode);
  const cutPrefix = (from: number) => (words[from] !== "scim" ? from : words[from + 1] === "v2" ? from + 2 : from + 1);
  return words.slice(cutPrefix(cutPrefix(0)));
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw new NotFound();
  }
}

async function answerCall(call: ScimCall): Promise<ScimAnswer> {
  const { words, method } = call;
  const [first, second, third, ...rest] = words;
  if (isDiscovery(words)) {
    if (method !== "GET") throw refuseMethod("GET");
    // A filter would promise more than these documents can say (RFC 7644, section 4).
    if (call.query.has("filter")) throw new ScimError(403, null, "These documents cannot be filtered.");
    const body = findDiscovery(words, call.base);
    if (body !== null) return { status: 200, body };
  }
  if (words.length === 1 && first === ".search") return answerSearch(call, [userResource, groupResource]);
  if (words.length === 1 && (first === "Bulk" || first === "Me"))
    throw new ScimError(501, null, `"${first}" is not supported.`);
  const resource = resourceOf(first);
  if (resource === null || rest.length > 0 || third !== undefined) throw new NotFound();
  if (second === undefined) return answerCollection(call, resource);
  return second === ".search" ? answerSearch(call, [resource]) : answerResource(call, resource, second);
}

function send(reply: FastifyReply, { status, body, headers = {} }: ScimAnswer): FastifyReply {
  reply.code(status).headers({ ...headers, "Cache-Control": "no-store" });
  if (body === null) return reply.send();
  return reply.type("application/scim+json; charset=utf-8").send(JSON.stringify(body));
}

function sendError({ log }: Scim, error: unknown, reply: FastifyReply): FastifyReply {
  const { status, scimType, detail, headers } = toScimError(error);
  if (status >= 500 && status !== 501 && status !== 503) log.error("a SCIM call failed", describeError(error));
  return send(reply, {
    status,
    headers,
    body: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      ...(scimType === null ? {} : { scimType }),
      detail,
    },
  });
}

type ErrorAnswer = {
  status: number;
  scimType: ScimError["scimType"];
  detail: string;
  headers: Record<string, string>;
};

function toScimError(error: unknown): ErrorAnswer {
  const answer = (status: number, detail: string, headers: Record<string, string> = {}): ErrorAnswer => ({
    ...{ status, scimType: null, detail, headers },
  });
  if (error instanceof ScimError) {
    const { allowed } = error as { allowed?: string };
    const headers: Record<string, string> = allowed === undefined ? {} : { Allow: allowed };
    return { status: error.status, scimType: error.scimType, detail: error.message, headers };
  }
  if (error instanceof Unauthorized) return answer(401, "A valid token is needed.", { "WWW-Authenticate": "Bearer" });
  if (error instanceof Forbidden) return answer(403, error.message || "Forbidden");
  if (error instanceof NotFound) return answer(404, "There is nothing at this address.");
  if (error instanceof TooLarge) return answer(413, "The body is too large.");
  if (error instanceof UnsupportedType) return answer(415, error.message);
  if (error instanceof BadRequest) return { ...answer(400, error.message), scimType: "invalidSyntax" };
  if (error instanceof TooManyRequests)
    return answer(429, "Too many calls.", { "Retry-After": String(error.retryAfter) });
  if (error instanceof Unavailable)
    return answer(503, "The service is not available at the moment.", { "Retry-After": "5" });
  if (error instanceof TimedOut) return answer(504, "The call took too long.", { "Retry-After": "5" });
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return answer(413, "The body is too large.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return answer(statusCode, "Bad Request");
  return answer(500, "Internal error");
}
