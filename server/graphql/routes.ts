import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { decodeText, parseJson } from "../api/http/body.ts";
import { getOrigin } from "../api/http/origin.ts";
import {
  type Api,
  enforceRateLimit,
  identify,
  limitRate,
  requireIdentity,
  resolveCaller,
  setRateLimitHeaders,
} from "../api/http/pipeline.ts";
import { StaticContent, sendBytes, sendStatic } from "../api/http/static-content.ts";
import { buildStorage } from "../api/routes/data/attachment-routes.ts";
import { BadRequest, NotFound, UnsupportedType } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import type { Identity } from "../oauth/identities.ts";
import { buildCostHeaders } from "./cost-limit.ts";
import { type GraphqlRequest, GraphqlService } from "./execute-call.ts";
import { buildGraphqlSchema, printGraphqlSchema } from "./schema/build-schema.ts";

// POST /graphql, and POST / of the host graphql.<domain>: clients build that name from a domain and know no path. The steps
// of a call are those of REST. The schema is built by the first call.

const paths = ["/graphql", "/graphql/"];
/** GET shows the explorer to people: server/pages/graphql-explorer.ts */
const otherMethods = ["PUT", "PATCH", "DELETE"];
const json = "application/json; charset=utf-8";
const responseJson = "application/graphql-response+json; charset=utf-8";

/** Returns what `load` returned first: every caller waits for the same load. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

export function registerGraphqlRoutes(api: Api, app: FastifyInstance): void {
  const loadSchema = loadOnce(() => buildGraphqlSchema(api.engine));
  const loadService = loadOnce(async () => new GraphqlService(await loadSchema()));
  const loadDefinition = loadOnce(
    async () => new StaticContent("text/plain; charset=utf-8", await printGraphqlSchema(await loadSchema())),
  );
  const identities = new WeakMap<FastifyRequest, Identity>();
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!paths.includes(getPath(request)) && !isGraphqlHost(request)) throw new NotFound();
    identities.set(request, await admit(api, request, reply));
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    serve(api, loadService, identities.get(request) as Identity, request, reply);
  for (const url of [...paths, "/"]) app.route({ method: "POST", url, onRequest, handler });
  app.get("/graphql/schema.graphql", { config: { isStatic: true } satisfies EntranceConfig }, async (request, reply) =>
    sendStatic(request, reply, await loadDefinition()),
  );
  for (const url of paths)
    app.route({
      method: otherMethods,
      url,
      handler: async (_request, reply) =>
        reply.code(405).headers({ Allow: "POST" }).type(json).send('{"message":"Method Not Allowed"}'),
    });
}

const getPath = (request: FastifyRequest): string => request.url.split("?")[0] ?? "";
const isGraphqlHost = (request: FastifyRequest): boolean => /^graphql\./i.test(request.headers.host ?? "");

/** The first steps, before the framework reads the body: identity and rate limit. */
async function admit(api: Api, request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
  const found = await identify(api, request);
  const rate = await limitRate(api, request, found);
  setRateLimitHeaders(reply, rate);
  enforceRateLimit(rate);
  const identity = requireIdentity(found, false) as Identity;
  api.admission.admitPerson(request.raw, identity.person.id);
  api.identities.recordTokenUse(identity, api.engine.clock.now());
  const cost = await api.limiter.spend(getCostKey(identity), 0);
  reply.headers(buildCostHeaders({ ...cost, cost: 0 }));
  return identity;
}

const getCostKey = ({ person }: Identity): string => `cost of person ${person.id}`;

async function serve(
  api: Api,
  loadService: () => Promise<GraphqlService>,
  identity: Identity,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const by = await resolveCaller(api, request, identity, "graphql");
  const graphqlRequest = readRequest(request);
  const service = await loadService();
  const { engine, domain, limiter, log } = api;
  const { body, isRequestError, cost } = await service.answer({
    request: graphqlRequest,
    engine,
    by,
    identity,
    domain,
    requestId: request.id,
    seconds: api.configuration.graphqlSeconds,
    async buildStorage() {
      const storage = await buildStorage(api, by, getOrigin(api.configuration, request.raw));
      return {
        allowedExtensions: storage.allowed_extensions,
        provider: storage.provider,
        providerParameters: storage.provider === "s3" ? storage.s3 : storage.local,
        sizeLimit: storage.size_limit,
        uploadUri: storage.upload_uri,
      };
    },
    loadAccounts: () => api.identities.getAccounts(),
    async spend(points) {
      const status = { ...(await limiter.spend(getCostKey(identity), points)), cost: points };
      reply.headers(buildCostHeaders(status));
      return status;
    },
    reserveMemory: (bytes) => api.admission.reserve(request.raw, bytes),
    report: (error) => log.error("a call of the graph failed", { request: request.id, ...describeError(error) }),
  });
  const isResponseJson = prefersResponseJson(request.headers.accept);
  reply.headers({ "Cache-Control": "no-store", ...buildCostHeaders(cost) });
  reply.code(isResponseJson && isRequestError ? 400 : 200).type(isResponseJson ? responseJson : json);
  if (typeof body !== "string") return sendBytes(reply, body);
  api.admission.countAnswer(request.raw, body.length);
  return reply.send(body);
}

/** The answer is application/json unless the client prefers the other type to it. */
function prefersResponseJson(accept: string | undefined): boolean {
  const qualities = new Map<string, number>();
  for (const part of (accept ?? "").toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const quality = Number(/^q=([\d.]+)/.exec(parameters.find((each) => each.startsWith("q=")) ?? "")?.[1] ?? 1);
    if (!qualities.has(range)) qualities.set(range, quality);
  }
  const wanted = qualities.get("application/graphql-response+json") ?? 0;
  if (wanted <= 0) return false;
  const plain = qualities.get("application/json");
  if (plain === undefined) return true;
  if (plain !== wanted) return wanted > plain;
  const [first] = [...qualities.keys()].filter((range) => /json$/.test(range));
  return first === "application/graphql-response+json";
}

function readRequest(request: FastifyRequest): GraphqlRequest {
  const contentType = request.headers["content-type"] ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  const raw = request.body;
  if (type !== "application/json" || !Buffer.isBuffer(raw))
    throw type === "application/json"
      ? new BadRequest("Invalid JSON string posted")
      : new UnsupportedType("Send the query as application/json");
  const { query, variables, operationName, extensions } = parseJson(decodeText(raw, contentType));
  if (typeof query !== "string") throw new BadRequest("The member 'query' must be a text");
  for (const [name, value] of Object.entries({ variables, extensions }))
    if (value !== undefined && value !== null && (typeof value !== "object" || Array.isArray(value)))
      throw new BadRequest(`The member '${name}' must be an object`);
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string")
    throw new BadRequest("The member 'operationName' must be a text");
  return {
    query,
    variables: (variables as Record<string, unknown> | null | undefined) ?? {},
    operationName: operationName === undefined || operationName === "" ? null : operationName,
  };
}
