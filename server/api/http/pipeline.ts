import type { FastifyReply, FastifyRequest } from "fastify";
import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import { parseLanguage } from "../../../records/languages/index.ts";
import type { Configuration } from "../../base/configuration.ts";
import { Forbidden, NotAcceptable, TooManyRequests, Unauthorized } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { buildCaller, type Caller, mayWorkIn, type Person } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { FileStore } from "../../files/index.ts";
import type { Identities, Identity } from "../../oauth/identities.ts";
import { findNetworkName, isInNetworks } from "../../oauth/policy/networks.ts";
import type { SignInPolicy } from "../../oauth/policy/policy-members.ts";
import { allows } from "../../oauth/scopes/scopes.ts";
import { requireRecentProofOfToken } from "../../oauth/step-up.ts";
import type { HttpAdmission } from "./admission/http-admission.ts";
import { watchClient } from "./connections/client-connection.ts";
import { getAccountOfHost, getClientAddress, getOrigin } from "./origin.ts";
import { forBrowserSession, type RateLimitStatus, type RateLimits } from "./rate-limit.ts";
import type { RequestLog } from "./request-log/request-log.ts";
import { listNeededScopes, type Route } from "./route.ts";
import type { SharedRateLimiter } from "./shared-rate-limit.ts";

// The steps that lead from an HTTP request to its route, one function each. server.ts calls them in the order of their numbers;
// GraphQL, SCIM and the pages call some of them. docs/life-of-a-request.md lists all steps, with those of other files.

export type Api = {
  engine: Engine;
  identities: Identities;
  limiter: SharedRateLimiter;
  admission: HttpAdmission;
  requestLog: RequestLog;
  configuration: Configuration;
  log: Log;
  files: FileStore;
  secret: string;
  /** the domain in nodeIDs */
  domain: string;
};

/** The value of a header under any of its names; the first name that is present wins. */
export function readHeader(request: FastifyRequest, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = request.headers[name];
    // Node joins a repeated header with ", ": the same value twice counts once.
    const text = Array.isArray(value) ? value[0] : value;
    if (text === undefined || text.trim() === "") continue;
    if (!text.includes(",")) return text.trim();
    const parts = text.split(",").map((part) => part.trim());
    return parts.length > 1 && new Set(parts).size === 1 ? parts[0] : text.trim();
  }
  return undefined;
}

const accountHeaderAliases = ["x-xurrent-account", "x-4me-account"];

/** Step 1: identifies the caller. Invalid credentials become a 401 in step 3, after the rate limiter counted them. */
export async function identify(api: Api, request: FastifyRequest): Promise<Identity | "bad" | null> {
  const authorization = request.headers.authorization;
  if (authorization === undefined) return null;
  const match = /^bearer +(\S+)$/i.exec(authorization.trim());
  if (match === null) return "bad";
  const allowance = api.admission.getLookupAllowance(request.raw);
  return (await api.identities.identify(match[1] as string, allowance)) ?? "bad";
}

/** Step 2: counts the request, per person, or per client address without a valid token. Exempt routes skip it. */
export async function limitRate(
  api: Api,
  request: FastifyRequest,
  identity: Identity | "bad" | null,
): Promise<RateLimitStatus> {
  if (identity === null || identity === "bad")
    return api.limiter.count(`address ${getClientAddress(api.configuration, request.raw)}`);
  return api.limiter.count(...pickRateBucket(api, identity));
}

/** The key and the limits that count for a token. */
export const pickRateBucket = (
  { limiter }: Pick<Api, "limiter">,
  { person, isSession }: Identity,
): [string, RateLimits] =>
  isSession
    ? [`session of person ${person.id}`, forBrowserSession(limiter.limits)]
    : [`person ${person.id}`, limiter.limits];

export function setRateLimitHeaders(reply: FastifyReply, status: RateLimitStatus): void {
  reply.header("X-RateLimit-Limit", status.limit);
  reply.header("X-RateLimit-Remaining", status.remaining);
  reply.header("X-RateLimit-Reset", status.reset);
}

export function enforceRateLimit(status: RateLimitStatus): void {
  if (status.retryAfter !== null) throw new TooManyRequests(status.retryAfter);
}

/** Step 3: invalid credentials are a 401 on all routes, missing ones on routes that are not anonymous. */
export function requireIdentity(identity: Identity | "bad" | null, anonymous: boolean): Identity | null {
  if (identity === "bad" || (identity === null && !anonymous)) throw new Unauthorized();
  return identity;
}

/** Step 4: the account of the call, which decides the roles. Unknown and inaccessible accounts, and networks that the account does not allow, are a 403. */
export const resolveCaller = (
  api: Api,
  request: FastifyRequest,
  identity: Identity,
  kind: "api" | "graphql" = "api",
): Promise<Caller> =>
  resolveCallerInAccount(
    api,
    request,
    identity,
    readHeader(request, "account", ...accountHeaderAliases) ??
      getAccountOfHost(api.configuration, request.raw) ??
      identity.person.account,
    kind,
  );

export async function resolveCallerInAccount(
  api: Api,
  request: FastifyRequest,
  identity: Identity,
  wanted: string,
  kind: "api" | "graphql" = "api",
): Promise<Caller> {
  const { person } = identity;
  const policy = await api.identities.getPolicy(wanted);
  const address = getClientAddress(api.configuration, request.raw);
  const source =
    readHeader(request, "x-xurrent-source", "x-4me-source") ??
    (identity.isSession ? "Steward" : (readHeader(request, "user-agent") ?? "Steward API"));
  const language = readHeader(request, "language", "x-xurrent-language", "x-4me-language");
  const by = await loadCallerInAccount(api, person, wanted, {
    language: (language === undefined ? null : parseLanguage(language)) ?? person.locale,
    source: cutSource(source),
    changeOrigin: buildCallOrigin(identity, kind, address, policy),
    customFieldsAsArray:
      readHeader(request, "account") === undefined && readHeader(request, ...accountHeaderAliases) !== undefined,
    origin: getOrigin(api.configuration, request.raw),
    client: watchClient(request.raw.socket),
    memory: api.admission.countRows(request.raw),
  });
  if (by === null) throw new Forbidden();
  checkNetwork(policy, identity, address);
  return by;
}

/** How the changes of a call came in: from a browser, or from a program with a token. */
function buildCallOrigin(
  { isSession, token, application }: Pick<Identity, "isSession" | "token" | "application">,
  kind: "api" | "graphql",
  address: string,
  policy: NamedNetworks,
): ChangeOrigin {
  if (isSession) return buildSessionOrigin(address, policy);
  const from = findPlace(policy, address);
  return application === null ? { kind, token, ...from } : { kind, application, ...from };
}

type NamedNetworks = Pick<SignInPolicy, "named_networks">;

export const buildSessionOrigin = (address: string, policy: NamedNetworks): ChangeOrigin => ({
  kind: "browser",
  ...findPlace(policy, address),
});

function findPlace({ named_networks: networks }: NamedNetworks, address: string) {
  const place = networks.length === 0 ? null : findNetworkName(networks, address);
  return place === null ? { address } : { place, address };
}

const cutSource = (source: string): string =>
  /^[ -~]{1,30}$/.test(source)
    ? source
    : [...source]
        .filter((character) => character >= " ")
        .slice(0, 30)
        .join("")
        .toWellFormed();

/** D-550: an account may name the networks from which browsers and API clients use it. */
export async function requireAllowedNetwork(
  api: Api,
  request: FastifyRequest,
  identity: Pick<Identity, "isSession">,
  account: string,
): Promise<void> {
  checkNetwork(await api.identities.getPolicy(account), identity, getClientAddress(api.configuration, request.raw));
}

function checkNetwork(policy: SignInPolicy, { isSession }: Pick<Identity, "isSession">, address: string): void {
  if (!isInNetworks(isSession ? policy.web_networks : policy.api_networks, address))
    throw new Forbidden("the account does not allow calls from this network");
}

type CallSettings = Pick<
  Caller,
  "language" | "source" | "changeOrigin" | "customFieldsAsArray" | "origin" | "client" | "memory"
>;

/** Null when the person may not work in the account. */
export async function loadCallerInAccount(
  { engine, identities }: Pick<Api, "engine" | "identities">,
  person: Person,
  wanted: string,
  settings: CallSettings,
): Promise<Caller | null> {
  const accounts = await identities.getAccounts();
  const account = accounts.get(wanted);
  const home = accounts.get(person.account);
  if (account === undefined || home === undefined) return null;
  if (!mayWorkIn(person, home.directory, account)) return null;
  return buildCaller(person, home.directory, account, { ...settings, zone: person.zone, now: engine.clock.now() });
}

/** Step 5: the scopes of the token limit what the person may do. */
export function checkScope(route: Pick<Route, "scope" | "alsoNeeds">, identity: Identity, by: Caller): void {
  for (const { type, action } of listNeededScopes(route))
    if (!allows(identity.scopes, type, action, by.account)) throw new Forbidden();
}

/** Step 6: people in a browser authenticate again before changes that outlive their session (D-553). */
export async function checkProof(
  { engine: { database, clock }, identities }: Api,
  { needsRecentProof }: Pick<Route, "needsRecentProof">,
  identity: Identity,
): Promise<void> {
  if (needsRecentProof) await requireRecentProofOfToken({ database, clock, identities }, identity);
}

/** CO34: some clients ask for plain text where they do not read the answer. */
const acceptedRanges = new Set(["application/json", "application/*", "*/*", "text/plain", "text/*"]);

/** Step 7: responses are JSON. A path that ends in .json overrides the Accept header. */
export function checkAccept(request: FastifyRequest, saysJson: boolean): void {
  const accept = request.headers.accept;
  if (saysJson || accept === undefined || accept.trim() === "") return;
  const acceptsJson = accept.split(",").some((part) => {
    const [range, ...parameters] = part.trim().toLowerCase().split(";");
    const quality = parameters
      .map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return quality !== "0" && Number(quality ?? 1) > 0 && acceptedRanges.has(range?.trim() ?? "");
  });
  if (!acceptsJson) throw new NotAcceptable();
}

/** Anonymous requests have no caller: a handler that needs one causes a 401. */
export function refuseAnonymous(): Caller {
  throw new Unauthorized();
}
