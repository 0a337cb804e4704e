import type { FastifyRequest } from "fastify";
import { Forbidden, Unauthorized } from "../../base/errors.ts";
import { isAdministratorOf } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Identity } from "../../oauth/identities.ts";
import { type Action, allows } from "../../oauth/scopes/scopes.ts";
import type { Actor, Scim } from "../scim-context.ts";
import { listScimTokens, looksLikeScimToken } from "../tokens.ts";

/** The action of a call, for tokens with scopes. */
const actions: Record<string, Action> = {
  GET: "Read",
  POST: "Create",
  PUT: "Update",
  PATCH: "Update",
  DELETE: "Delete",
};

/**
 * The caller: the SCIM token of an account, or an administrator whose token has the scopes. All others get a 401, and so
 * does every call in an account without a token.
 */
export async function authenticate(scim: Scim, request: FastifyRequest, isSearch: boolean): Promise<Actor> {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1] ?? null;
  const token = bearer !== null && looksLikeScimToken(bearer) ? await scim.tokens.find(bearer) : null;
  if (token !== null) {
    await scim.countCall(request, { token: token.id });
    await scim.requireAllowedNetwork(request, token.account);
    return { account: token.account, name: token.name, person: null };
  }
  const person = await authenticatePerson(scim, request, isSearch);
  if (person !== null) return person;
  await scim.countCall(request, null);
  throw new Unauthorized();
}

async function authenticatePerson(scim: Scim, request: FastifyRequest, isSearch: boolean): Promise<Actor | null> {
  const identity = await scim.identify(request);
  const by = identity === null ? null : await findCaller(scim, request, identity);
  if (identity === null || by === null) return null;
  const { person, scopes } = identity;
  const { account } = by;
  if (!isAdministratorOf(person, account)) return null;
  const action = isSearch ? "Read" : (actions[request.method] ?? "Read");
  const hasScopes = ["scim-user", "scim-group"].every((type) => allows(scopes, type, action, account));
  if (!hasScopes || !(await hasToken(scim, account))) return null;
  await scim.countCall(request, identity);
  scim.identities.recordTokenUse(identity, scim.engine.clock.now());
  return { account, name: person.name, person: person.id };
}

/** Null where the API would answer 403: here everything is a 401. */
async function findCaller(scim: Scim, request: FastifyRequest, identity: Identity): Promise<Caller | null> {
  try {
    return await scim.resolveCaller(request, identity);
  } catch (error) {
    if (error instanceof Forbidden) return null;
    throw error;
  }
}

const hasToken = async (scim: Scim, account: string): Promise<boolean> =>
  (await listScimTokens(scim, account)).length > 0;
