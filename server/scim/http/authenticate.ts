import type { FastifyRequest } from "fastify";
import { Unauthorized } from "../../base/errors.ts";
import { isAdministratorOf } from "../../engine/access.ts";
import { mayWorkIn } from "../../engine/caller.ts";
import { type Action, allows } from "../../oauth/scopes/scopes.ts";
import type { Actor, Scim } from "../context.ts";
import { listScimTokens, looksLikeScimToken } from "../tokens.ts";

/** What a call does, for tokens with scopes. */
const actions: Record<string, Action> = {
  GET: "Read",
  POST: "Create",
  PUT: "Update",
  PATCH: "Update",
  DELETE: "Delete",
};

/**
 * Who calls: the SCIM token of an account, or an administrator whose token has the scopes. Everything else is a 401, and so
 * is everything in an account without a token.
 */
export async function authenticate(scim: Scim, request: FastifyRequest, isSearch: boolean): Promise<Actor> {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1] ?? null;
  const token = bearer !== null && looksLikeScimToken(bearer) ? await scim.tokens.find(bearer) : null;
  if (token !== null) {
    await scim.countCall(request, { token: token.id });
    return { account: token.account, name: token.name, person: null };
  }
  const person = bearer === null ? null : await authenticatePerson(scim, request, bearer, isSearch);
  if (person !== null) return person;
  await scim.countCall(request, null);
  throw new Unauthorized();
}

async function authenticatePerson(
  scim: Scim,
  request: FastifyRequest,
  bearer: string,
  isSearch: boolean,
): Promise<Actor | null> {
  const identity = await scim.identities.identify(bearer);
  if (identity === null) return null;
  const accounts = await scim.identities.getAccounts();
  const { person, scopes } = identity;
  const header = request.headers.account ?? request.headers["x-xurrent-account"] ?? request.headers["x-4me-account"];
  const wanted = typeof header === "string" && header.trim() !== "" ? header.trim() : person.account;
  const account = accounts.get(wanted);
  if (account === undefined || !mayWorkIn(person, accounts.get(person.account)?.directory ?? null, account))
    return null;
  if (!isAdministratorOf(person, account.id)) return null;
  const action = isSearch ? "Read" : (actions[request.method] ?? "Read");
  const hasScopes = ["scim-user", "scim-group"].every((type) => allows(scopes, type, action, account.id));
  if (!hasScopes || !(await hasToken(scim, account.id))) return null;
  await scim.countCall(request, identity);
  scim.identities.recordTokenUse(identity.tokenId, scim.engine.clock.now());
  return { account: account.id, name: person.name, person: person.id };
}

const hasToken = async (scim: Scim, account: string): Promise<boolean> =>
  (await listScimTokens(scim, account)).length > 0;
