import type { FastifyReply, FastifyRequest } from "fastify";
import { parseLanguage } from "../../../records/languages/index.ts";
import type { Configuration } from "../../base/configuration.ts";
import { Forbidden, NotAcceptable, TooManyRequests, Unauthorized } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { type Account, buildCaller, type Caller, type Person } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Identities, Identity } from "../../oauth/identities.ts";
import { allows } from "../../oauth/scopes/scopes.ts";
import type { FileStore } from "../../storage/files/index.ts";
import { getClientAddress, getOrigin } from "./origin.ts";
import type { RateLimitStatus } from "./rate-limit.ts";
import type { Route } from "./route.ts";
import type { SharedRateLimiter } from "./shared-rate-limit.ts";

// The life of a request, one function per step; server.ts calls them in this order. docs/life-of-a-request.md tells it
// as a story.

export type Api = {
  engine: Engine;
  identities: Identities;
  limiter: SharedRateLimiter;
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
    const parts = text.split(",").map((part) => part.trim());
    return parts.length > 1 && new Set(parts).size === 1 ? parts[0] : text.trim();
  }
  return undefined;
}

const accountHeaderAliases = ["x-xurrent-account", "x-4me-account"];

/** Step 1: who is calling. Null without credentials; 401 for bad ones is decided in step 3, after they were counted. */
export async function identify(api: Api, request: FastifyRequest): Promise<Identity | "bad" | null> {
  const authorization = request.headers.authorization;
  if (authorization === undefined) return null;
  const match = /^bearer +(\S+)$/i.exec(authorization.trim());
  if (match === null) return "bad";
  return (await api.identities.identify(match[1] as string)) ?? "bad";
}

/** Step 2: the hourly window and the burst, per person, or per address when nobody is known. */
export async function limitRate(
  api: Api,
  request: FastifyRequest,
  identity: Identity | "bad" | null,
): Promise<RateLimitStatus> {
  const key =
    identity !== null && identity !== "bad"
      ? `person ${identity.loadPerson.id}`
      : `address ${getClientAddress(api.configuration, request.raw)}`;
  return api.limiter.count(key);
}

export function setRateLimitHeaders(reply: FastifyReply, standing: RateLimitStatus): void {
  reply.header("X-RateLimit-Limit", standing.limit);
  reply.header("X-RateLimit-Remaining", standing.remaining);
  reply.header("X-RateLimit-Reset", standing.reset);
}

export function enforceRateLimit(standing: RateLimitStatus): void {
  if (standing.retryAfter !== null) throw new TooManyRequests(standing.retryAfter);
}

/** Step 3: bad credentials are a 401 everywhere, missing ones wherever the route does not say otherwise. */
export function requireIdentity(identity: Identity | "bad" | null, anonymous: boolean): Identity | null {
  if (identity === "bad" || (identity === null && !anonymous)) throw new Unauthorized();
  return identity;
}

/** Step 4: the account of the call, and with it the roles that count. 403 for unknown accounts and foreign ones alike. */
export const resolveCaller = (api: Api, request: FastifyRequest, identity: Identity): Promise<Caller> =>
  resolveCallerInAccount(
    api,
    request,
    identity,
    readHeader(request, "account", ...accountHeaderAliases) ?? identity.loadPerson.account,
  );

export async function resolveCallerInAccount(
  api: Api,
  request: FastifyRequest,
  identity: Identity,
  wanted: string,
): Promise<Caller> {
  const { loadPerson: person } = identity;
  const source = readHeader(request, "x-xurrent-source", "x-4me-source", "user-agent") ?? "Steward API";
  const by = await loadCallerInAccount(api, person, wanted, {
    language:
      parseLanguage(readHeader(request, "language", "x-xurrent-language", "x-4me-language") ?? "") ?? person.locale,
    source: [...source]
      .filter((character) => character >= " ")
      .slice(0, 30)
      .join("")
      .toWellFormed(),
    customFieldsAsArray:
      readHeader(request, "account") === undefined && readHeader(request, ...accountHeaderAliases) !== undefined,
    origin: getOrigin(api.configuration, request.raw),
  });
  if (by === null) throw new Forbidden();
  return by;
}

type CallSettings = Pick<Caller, "language" | "source" | "customFieldsAsArray" | "origin">;

/** A person in an account, now; null: has no part in it. */
export async function loadCallerInAccount(
  { engine, identities }: Pick<Api, "engine" | "identities">,
  person: Person,
  wanted: string,
  manner: CallSettings,
): Promise<Caller | null> {
  const accounts = await identities.getAccounts();
  const account = accounts.get(wanted);
  const home = accounts.get(person.account);
  if (account === undefined || home === undefined) return null;
  if (!mayWorkIn(person.account, person.roles, account, home)) return null;
  return buildCaller(person, home.directory, account, { ...manner, zone: person.zone, now: engine.clock.now() });
}

/** The own account, one that granted a role, the directory account of the own one, or a support domain of it. */
function mayWorkIn(own: string, roles: ReadonlyMap<string, unknown>, account: Account, home: Account): boolean {
  return account.id === own || roles.has(account.id) || home.directory === account.id || account.directory === own;
}

/** Step 5: the token's scopes narrow what the person may do. */
export function checkScope(route: Pick<Route, "scope">, identity: Identity, by: Caller): void {
  if (route.scope !== null && !allows(identity.scopes, route.scope.type, route.scope.action, by.account))
    throw new Forbidden();
}

/** Step 6: only JSON is spoken. A path that ends in .json says so itself. */
export function checkAccept(request: FastifyRequest, saysJson: boolean): void {
  const accept = request.headers.accept;
  if (saysJson || accept === undefined || accept.trim() === "") return;
  const wanted = accept.split(",").some((part) => {
    const [range, ...parameters] = part.trim().toLowerCase().split(";");
    const quality = parameters
      .map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return (
      quality !== "0" &&
      Number(quality ?? 1) > 0 &&
      ["application/json", "application/*", "*/*"].includes(range?.trim() ?? "")
    );
  });
  if (!wanted) throw new NotAcceptable();
}

/** For routes without credentials: there is no caller, and asking for one is a 401. */
export function refuseAnonymous(): Caller {
  throw new Unauthorized();
}
