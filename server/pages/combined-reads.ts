import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { FastifyInstance } from "fastify";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { BadRequest } from "../base/errors.ts";
import { parseJsonBody } from "./form-body.ts";
import { requireSignedIn } from "./session-routes.ts";
import { type PagesContext, requireCsrfToken } from "./visit.ts";

// Several readings of the REST API in one call. A page that opens needs a dozen of them, and a browser has six
// connections. Each reading is a call of its own to everything behind: access, rate limits, log.

const maxPaths = 30;
const isPath = (path: unknown): path is string =>
  typeof path === "string" && path.length < 4000 && /^\/v1\/[a-z]/.test(path) && !path.includes("..");

/** Headers that say something about the answer. */
const answeredHeaders = ["x-revision", "link", "retry-after", "x-request-id"];

// It makes the calls and is none itself: as one it would wait for places that it takes.
const config: EntranceConfig = { isStream: true };

export function registerCombinedReads(pages: PagesContext, app: FastifyInstance): void {
  app.post("/session-api/reads", { config }, async (request, reply) => {
    const visit = await requireSignedIn(pages, request, reply);
    requireCsrfToken(visit, request.headers["x-csrf-token"] as string | undefined);
    const { paths } = parseJsonBody(request);
    if (!Array.isArray(paths) || paths.length === 0 || paths.length > maxPaths || !paths.every(isPath))
      throw new BadRequest(`'paths' must be a list of 1 to ${maxPaths} paths of the REST API`);
    const from = describeSender(request.raw);
    const answers = await Promise.all(
      paths.map(async (url) => {
        const { statusCode, headers, payload } = await app.inject({ method: "GET", url, ...from });
        const isJson = String(headers["content-type"] ?? "").startsWith("application/json");
        const told = Object.entries(headers).filter(
          ([name]) => answeredHeaders.includes(name) || name.startsWith("x-pagination-"),
        );
        return `{"status":${statusCode},"headers":${JSON.stringify(Object.fromEntries(told))},"body":${isJson ? payload : "null"}}`;
      }),
    );
    return reply.type("application/json; charset=utf-8").send(`[${answers.join(",")}]`);
  });
}

const passedHeaders = ["authorization", "account", "accept-language", "host", "user-agent"];
const forwardedHeaders = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

/** The readings come from where the call came from. A connection of our own TLS is told as a proxy would tell it. */
function describeSender({ socket, headers }: IncomingMessage) {
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
  if (!(socket as TLSSocket).encrypted)
    return {
      remoteAddress: socket.remoteAddress ?? "",
      headers: { accept: "application/json", ...pick([...passedHeaders, ...forwardedHeaders]) },
    };
  const forwarded = { "x-forwarded-for": socket.remoteAddress ?? "", "x-forwarded-proto": "https" };
  return {
    remoteAddress: "127.0.0.1",
    headers: { accept: "application/json", ...pick(passedHeaders), ...forwarded },
  };
}
