import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Oauth } from "../oauth-context.ts";
import { buildErrorRedirect, type RedirectTarget } from "./redirect.ts";

// GET /oauth/authorize. Nothing is sent to the redirect URI before it is known to belong to the client: this endpoint would
// be an open redirector otherwise.

export type AuthorizationRequest = RedirectTarget & {
  client: number;
  application: number;
  account: string;
  challenge: string | null;
};

export type AuthorizationCheck =
  | { outcome: "refused"; message: string }
  | { outcome: "redirect"; to: string }
  | { outcome: "valid"; request: AuthorizationRequest };

const selectClient = jsonStatement<{ id: number; application_id: number; account_id: string; endpoints: string[] }>(
  `SELECT c.id, c.application_id, c.account_id, a.endpoints FROM oauth_clients c JOIN oauth_applications a ON a.id = c.application_id
WHERE c.client_id = $1 AND NOT c.disabled AND NOT a.disabled AND a.grant_type = 'authorization_code'`,
);

/** The values of each parameter, still percent-encoded. */
function parseRawParameters(query: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decodeParameter(at < 0 ? part : part.slice(0, at));
    if (name === null) continue;
    parameters.set(name, [...(parameters.get(name) ?? []), at < 0 ? "" : part.slice(at + 1)]);
  }
  return parameters;
}

function decodeParameter(raw: string): string | null {
  try {
    const text = decodeURIComponent(raw.replaceAll("+", " "));
    return isStorable(text) ? text : null;
  } catch {
    return null;
  }
}

/** Escapes characters that the client should have encoded and that a Location header must not contain. */
const escapeUnsafe = (raw: string): string =>
  raw.replace(/[^\x21-\x7e]|["<>#]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const knownParameters = [
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "code_challenge",
  "code_challenge_method",
];

export async function checkAuthorizationRequest(oauth: Oauth, query: string): Promise<AuthorizationCheck> {
  const raw = parseRawParameters(query);
  const getSingle = (name: string): string | null => {
    const values = raw.get(name) ?? [];
    return values.length === 1 ? decodeParameter(values[0] as string) || null : null;
  };
  const [clientId, redirectUri] = [getSingle("client_id"), getSingle("redirect_uri")];
  if (clientId === null) return { outcome: "refused", message: "The parameter client_id is missing or repeated." };
  const client = await queryFirst(oauth.database, selectClient, [clientId]);
  if (client === null) return { outcome: "refused", message: "The application is unknown or disabled." };
  if (redirectUri === null)
    return { outcome: "refused", message: "The parameter redirect_uri is missing or repeated." };
  if (!client.endpoints.includes(redirectUri))
    return { outcome: "refused", message: "The redirect_uri is not registered for this application." };

  const states = raw.get("state") ?? [];
  const target: RedirectTarget = {
    redirect_uri: redirectUri,
    state: states.length === 1 ? escapeUnsafe(states[0] as string) : null,
  };
  const invalid = (description: string): AuthorizationCheck => ({
    outcome: "redirect",
    to: buildErrorRedirect(target, "invalid_request", description),
  });
  const repeated = knownParameters.find((name) => (raw.get(name)?.length ?? 0) > 1);
  if (repeated !== undefined) return invalid(`The parameter ${repeated} is repeated.`);
  if (getSingle("response_type") !== "code") return invalid("The response_type must be code.");
  const challenge = getSingle("code_challenge");
  if (raw.has("code_challenge") || raw.has("code_challenge_method")) {
    if (getSingle("code_challenge_method") !== "S256") return invalid("The code_challenge_method must be S256.");
    if (challenge === null || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
      return invalid("The code_challenge must be 43 characters of base64url.");
  }
  const { id, application_id: application, account_id: account } = client;
  return { outcome: "valid", request: { ...target, client: id, application, account, challenge } };
}
