import { hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { buildAccountUrl } from "../../base/account-url.ts";
import { BadRequest, Forbidden, NotAcceptable, NotFound, Overloaded, Unauthorized } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { readForm } from "../../files/index.ts";
import type { Identity } from "../../oauth/identities.ts";
import { addAccountFolder, isPageOfAccountHost, redirectToAccountFolder } from "./account-hosts.ts";
import { bodyLimit, type RawBody, readBody, readBytes } from "./body.ts";
import { prepareSweep } from "./connections/idle-connections.ts";
import { adoptConnection } from "./connections/internal-dispatch.ts";
import { toErrorResponse, toFrameworkErrorResponse } from "./errors.ts";
import { answerOnce } from "./idempotency.ts";
import { parseIfMatch } from "./if-match.ts";
import { getClientAddress, getOrigin, isSecure } from "./origin.ts";
import { parseQuery } from "./parameters.ts";
import {
  type Api,
  checkAccept,
  checkProof,
  checkScope,
  enforceRateLimit,
  identify,
  limitRate,
  refuseAnonymous,
  requireIdentity,
  resolveCaller,
  setRateLimitHeaders,
} from "./pipeline.ts";
import { normalizePath, refuseExpectations, refuseMalformedRequest } from "./raw-http.ts";
import { type AnsweredRequest, logRequest } from "./request-log/log-request.ts";
import { traceRequests } from "./request-log/trace-requests.ts";
import type { ApiResponse, Call, Route } from "./route.ts";
import { type RouteMatch, Router } from "./router.ts";
import { matchesEtag, sendStatic } from "./static-content.ts";

// The HTTP server, and the order of the steps of a request. pipeline.ts holds most of them.

type RequestState = AnsweredRequest & {
  match: RouteMatch | null;
  identity: Identity | null;
  saysJson: boolean;
  language: string;
};
const requestStates = new WeakMap<FastifyRequest, RequestState>();
const apiPrefix = "/v1";
const maxLoggedAnswer = 16_384;
const headersTimeout = 20_000;
/** where stalled clients are not looked for */
const requestTimeout = 60_000;
const transportSecuritySeconds = 365 * 24 * 3600;

export function createServer(
  api: Api,
  routes: readonly Route[],
  registerOtherRoutes: (app: FastifyInstance) => void,
  observe: (status: number, milliseconds: number) => void,
): FastifyInstance {
  const { configuration } = api;
  const processId = randomBytes(6).toString("base64url");
  let number = 0;
  const nextId = () => `${processId}-${(++number).toString(36)}`;
  const https =
    configuration.tls === null
      ? {}
      : { https: { cert: readFileSync(configuration.tls.cert), key: readFileSync(configuration.tls.key) } };
  const app = Fastify({
    ...https,
    bodyLimit,
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 500, caseSensitive: true },
    rewriteUrl(request) {
      adoptConnection(request);
      return normalizePath(addAccountFolder(configuration, request), apiPrefix);
    },
    frameworkErrors: (error, request, reply) =>
      void respondWithError(api, error, request as FastifyRequest, reply as FastifyReply, observe),
    // A large upload over a slow line takes its time: the admission step checks that data keeps arriving.
    requestTimeout: configuration.admission.stallSeconds === 0 ? requestTimeout : 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    clientErrorHandler: (error, socket) => refuseMalformedRequest(api, nextId, error, socket),
    // checkTransport refuses a missing Host header with our own error body.
    http: { requireHostHeader: false, headersTimeout, connectionsCheckingInterval: headersTimeout / 4 },
  }) as unknown as FastifyInstance;
  refuseExpectations(api, nextId, app.server);
  api.admission.attach(app.server);
  const sweepIdleConnections = prepareSweep(app.server);
  app.addHook("preClose", async () => sweepIdleConnections());
  // Browsers then use HTTPS by themselves, also where a person types an address without a scheme.
  const isHttps = configuration.tls !== null || configuration.publicUrl?.startsWith("https:");

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser("multipart/form-data", (_request, payload, done) => done(null, payload));

  traceRequests(app, findRoutePath);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
    reply.header("X-Content-Type-Options", "nosniff");
    if (isHttps) reply.header("Strict-Transport-Security", `max-age=${transportSecuritySeconds}`);
    checkTransport(api, request, reply);
    api.admission.admit(request, reply.raw, apiPrefix, bodyLimit);
    if (!request.url.startsWith(apiPrefix)) requireStorableParameters(request);
    if (/^\/(?:\?|$)/.test(request.url) && isPageOfAccountHost(configuration, request))
      return redirectToAccountFolder(configuration, request, reply);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode !== 429) done(null, payload);
    else api.admission.delayRefusal(request.raw, () => done(null, payload));
  });

  const router = new Router(routes);
  const fixedPaths = new Set(routes.map(({ path }) => path));
  app.register(
    async (scope) => {
      scope.addHook("onRequest", (request, reply) =>
        admit(api, request, reply, router.find(request.method, getPath(request))),
      );
      scope.addHook("onSend", (request, reply, payload, done) => {
        const state = requestStates.get(request);
        if (reply.statusCode >= 400 && state !== undefined && typeof payload === "string")
          state.answered = payload.slice(0, maxLoggedAnswer);
        done(null, payload);
      });
      scope.addHook("onResponse", (request, reply, done) => {
        const state = requestStates.get(request);
        if (state !== undefined) logRequest(api, request, reply, state);
        done();
      });
      const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const match = requestStates.get(request)?.match;
        if (match != null) return serve(api, match, request, reply, observe);
        const path = getPath(request);
        const otherFormat = /\.(html|csv|xml|pdf|xlsx|txt)$/.exec(path);
        const isKnown = otherFormat !== null && fixedPaths.has(path.slice(0, -otherFormat[0].length));
        throw isKnown ? new NotAcceptable() : new NotFound();
      };
      const method = [...new Set(routes.map((route) => route.method))];
      for (const url of ["", "/*"]) scope.route({ method, url, handler });
      scope.setNotFoundHandler(handler);
    },
    { prefix: apiPrefix },
  );
  registerOtherRoutes(app);
  app.setErrorHandler((error, request, reply) => respondWithError(api, error, request, reply, observe));
  app.setNotFoundHandler((request, reply) =>
    isPageOfAccountHost(configuration, request)
      ? redirectToAccountFolder(configuration, request, reply)
      : respondWithError(api, new NotFound(), request, reply, observe),
  );
  return app;
}

/** Clients reconnect afterwards, behind a load balancer to another process. */
export function closeConnectionsWithNextAnswer(server: FastifyInstance["server"]): void {
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
}

/** Refuses plain HTTP from other machines, and HTTP/1.1 requests without a Host header. */
function checkTransport(api: Api, request: FastifyRequest, reply: FastifyReply): void {
  if (!isSecure(api.configuration, request.raw)) {
    reply.header("Connection", "close");
    throw new Forbidden("use HTTPS");
  }
  if (request.raw.httpVersion === "1.1" && request.headers.host === undefined) {
    reply.header("Connection", "close");
    throw new BadRequest("The Host header is missing");
  }
}

/** Nothing has a name that PostgreSQL cannot store. */
function requireStorableParameters({ params }: FastifyRequest): void {
  for (const value of Object.values((params ?? {}) as Record<string, string>))
    if (!isStorable(value)) throw new NotFound();
}

/** The path below the prefix, as sent. */
const getPath = (request: FastifyRequest): string =>
  /^[^?#]*/.exec(request.raw.url as string)?.[0].slice(apiPrefix.length) ?? "";

/** A client that closes its connection while it is sent a stream is no failure of the server. */
const hasClientLeft = (error: unknown, { raw }: FastifyRequest): boolean =>
  (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE" && raw.socket.destroyed;

/** The path of the route that answers, with names in place of values. */
function findRoutePath(request: FastifyRequest): string {
  const match = requestStates.get(request)?.match;
  return match == null ? (request.routeOptions?.url ?? "") : `${apiPrefix}${match.route.path}`;
}

/** Steps 1 to 3 of pipeline.ts, before the framework reads the body. */
async function admit(api: Api, request: FastifyRequest, reply: FastifyReply, match: RouteMatch | null): Promise<void> {
  const route = match?.route;
  const state: RequestState = {
    match,
    identity: null,
    saysJson: /\.json\/*(\?|$)/.test(request.originalUrl),
    language: "en-US",
    started: performance.now(),
    ...{ caller: null, account: null, answered: null },
  };
  requestStates.set(request, state);
  const identity = await identify(api, request);
  if (identity !== "bad") state.caller = identity;
  const rateLimit = route?.exemptFromRateLimit ? null : await limitRate(api, request, identity);
  if (rateLimit !== null) {
    setRateLimitHeaders(reply, rateLimit);
    enforceRateLimit(rateLimit);
  }
  state.identity = requireIdentity(identity, route?.anonymous ?? false);
  if (state.identity !== null) {
    api.admission.admitPerson(request.raw, state.identity.person.id);
    state.language = state.identity.person.locale;
    api.identities.recordTokenUse(state.identity, api.engine.clock.now());
  }
}

const changesRecord = ({ method }: FastifyRequest): boolean => ["PATCH", "PUT", "DELETE"].includes(method);

/** Steps 4 to 7 of pipeline.ts, then the query string, the handler, which reads the body, and the response. */
async function serve(
  api: Api,
  { route, params }: RouteMatch,
  request: FastifyRequest,
  reply: FastifyReply,
  observe: (status: number, milliseconds: number) => void,
): Promise<FastifyReply> {
  const state = requestStates.get(request) as RequestState;
  const by = state.identity === null ? null : await resolveCaller(api, request, state.identity);
  if (by !== null && state.identity !== null) {
    state.language = by.language;
    state.account = by.account;
    checkScope(route, state.identity, by);
    await checkProof(api, route, state.identity);
  }
  checkAccept(request, state.saysJson || route.mediaType !== undefined);
  const at = request.raw.url?.indexOf("?") ?? -1;
  const query = at < 0 ? [] : parseQuery((request.raw.url as string).slice(at + 1));
  for (const value of Object.values(params)) if (!isStorable(value)) throw new NotFound();
  const call: Call = {
    request,
    reply,
    engine: api.engine,
    get caller() {
      return by ?? refuseAnonymous();
    },
    query,
    params,
    revisions: !changesRecord(request) ? undefined : parseIfMatch(request.headers["if-match"]),
    origin: by?.origin ?? getOrigin(api.configuration, request.raw),
    getAccountUrl: (account) => buildAccountUrl(api.configuration, call.origin, account),
    async body() {
      const raw = route.takesBody ? await readBytes(request.raw) : (request.body as RawBody);
      const body = await readBody(raw, request.headers["content-type"] ?? "", query, readForm);
      return {
        ...body,
        revisions: call.revisions,
        strict: /handling\s*=\s*strict/i.test(String(request.headers.prefer ?? "")),
      };
    },
  };
  const handle = () => route.handle(call);
  const { database, clock } = api.engine;
  const once = { database, clock, secret: api.secret };
  const response = by === null ? await handle() : await answerOnce(once, by, request, handle);
  return respond(api, request, reply, response, state, observe);
}

/** The last step: headers and ETag, or 304 when the client has the content already. */
function respond(
  api: Api,
  request: FastifyRequest,
  reply: FastifyReply,
  response: ApiResponse,
  state: RequestState,
  observe: (status: number, milliseconds: number) => void,
): FastifyReply | Promise<FastifyReply> {
  let { status, json } = response;
  reply.header("Cache-Control", "no-store");
  if (response.headers !== undefined)
    for (const [name, value] of Object.entries(response.headers)) reply.header(name, value);
  if (response.content !== undefined) {
    observe(status, performance.now() - state.started);
    return sendStatic(request, reply, response.content);
  }
  if (json !== undefined && request.method === "GET" && status === 200) {
    // 32 digits, as clients know it; processors calculate SHA-1 in half the time of the hash of that length.
    const tag = hash("sha1", json, "hex").slice(0, 32);
    reply.header("ETag", `W/"${tag}"`);
    if (matchesEtag(request, tag)) [status, json] = [304, undefined];
  }
  observe(status, performance.now() - state.started);
  reply.code(status);
  if (json === undefined) return reply.send();
  api.admission.countAnswer(request.raw, json.length);
  if (!reply.hasHeader("Content-Type")) reply.header("Content-Type", "application/json; charset=utf-8");
  return reply.send(json);
}

async function respondWithError(
  api: Api,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  observe: (status: number, milliseconds: number) => void,
): Promise<FastifyReply> {
  const state = requestStates.get(request);
  reply.header("X-Request-Id", request.id);
  reply.header("X-Content-Type-Options", "nosniff");
  if (!isSecure(api.configuration, request.raw) && !(error instanceof Forbidden))
    return respondWithError(api, new Forbidden("use HTTPS"), request, reply, observe);
  const documentation = `${getOrigin(api.configuration, request.raw)}/docs/api`;
  const response = toErrorResponse(error, state?.language ?? "en-US", documentation) ??
    toFrameworkErrorResponse(error as FastifyError) ?? { status: 500, body: { message: "Internal Server Error" } };
  if (response.status >= 500 && !(error instanceof Overloaded) && !hasClientLeft(error, request))
    api.log.error("request failed", {
      request: request.id,
      method: request.method,
      path: findRoutePath(request),
      status: response.status,
      ...describeError(error instanceof Error && error.cause !== undefined ? error.cause : error),
    });
  if (error instanceof Unauthorized) reply.header("WWW-Authenticate", "Bearer");
  if (response.retryAfter !== undefined) reply.header("Retry-After", response.retryAfter);
  // Requests that the framework refuses before step 1 are counted per client address.
  if (!reply.hasHeader("X-RateLimit-Limit"))
    setRateLimitHeaders(reply, api.limiter.local.count(`address ${getClientAddress(api.configuration, request.raw)}`));
  observe(response.status, state === undefined ? 0 : performance.now() - state.started);
  reply.header("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(response.headers ?? {})) reply.header(name, value);
  const json = response.json ?? JSON.stringify(response.body);
  return reply.code(response.status).type("application/json; charset=utf-8").send(json);
}
