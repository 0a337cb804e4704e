import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { TooManyRequests } from "../../base/errors.ts";
import { ClientDelays } from "../applications/client-delays.ts";
import { buildErrorBody, OauthError } from "../errors.ts";
import type { Oauth } from "../oauth-context.ts";
import { handleRevocationRequest } from "../token/revocation.ts";
import { handleTokenRequest } from "../token/token-request.ts";
import { buildMetadata } from "./metadata.ts";
import { type BodyParsers, parseClientCredentials, parseTokenParameters } from "./parse-request.ts";

// The OAuth endpoints for programs. pages/ holds those for people.

const json = "application/json; charset=utf-8";

/** Token requests are short. */
const bodyLimit = 65_536;

export type OauthHttp = BodyParsers & {
  getOrigin(request: FastifyRequest): string;
  getClientAddress(request: FastifyRequest): string;
};

export function oauthEndpoints(oauth: Oauth, http: OauthHttp) {
  const delays = new ClientDelays(oauth.clock);
  const isWrongClient = (error: unknown) => error instanceof OauthError && error.code === "invalid_client";
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("Cache-Control", "no-store").header("Pragma", "no-cache");
    });
    app.setErrorHandler((error, _request, reply) => sendOauthError(error, reply));

    const handleToken = async (request: FastifyRequest, reply: FastifyReply) => {
      const parameters = parseTokenParameters(request, http);
      parameters.required("grant_type"); // reported before missing credentials
      const credentials = parseClientCredentials(request, parameters);
      const handle = () => handleTokenRequest(oauth, parameters, credentials);
      const response = await delays.guard(credentials, http.getClientAddress(request), handle, isWrongClient);
      return reply.type(json).send(JSON.stringify(response));
    };
    app.post("/oauth/token", { bodyLimit }, handleToken);
    app.post("/token", { bodyLimit }, handleToken); // some clients omit the folder

    app.post("/oauth/revoke", { bodyLimit }, async (request, reply) => {
      const parameters = parseTokenParameters(request, http);
      parameters.required("token");
      const credentials = parseClientCredentials(request, parameters);
      const handle = () => handleRevocationRequest(oauth, parameters, credentials);
      await delays.guard(credentials, http.getClientAddress(request), handle, isWrongClient);
      return reply.type(json).send("{}");
    });

    app.get("/oauth/introspect", (request, reply) => introspect(oauth, request, reply));

    // RFC 8414, section 3: the issuer must match the URL under which the client requests the document.
    const wellKnown = "/.well-known/oauth-authorization-server";
    for (const [path, issuer] of [
      [wellKnown, ""],
      [`${wellKnown}/oauth`, "/oauth"],
      [`/oauth${wellKnown}`, "/oauth"],
    ] as const)
      app.get(path, async (request, reply) => {
        const origin = http.getOrigin(request);
        return reply.type(json).send(JSON.stringify(buildMetadata(origin, `${origin}${issuer}`)));
      });
  };
}

/** The actions that the scopes of a token allow. */
async function introspect(oauth: Oauth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const send = (status: number, body: unknown) => reply.code(status).type(json).send(JSON.stringify(body));
  if (request.raw.url?.includes("?token=") || request.raw.url?.includes("&token="))
    return send(400, { message: "Send the token in the Authorization header" });
  const secret = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1];
  const identity = secret === undefined ? null : await oauth.identities.identify(secret);
  if (identity === null) {
    reply.header("WWW-Authenticate", "Bearer");
    return send(401, { message: "Unauthorized" });
  }
  const allowed = identity.scopes.filter((scope) => scope.effect === "allow").flatMap((scope) => scope.actions);
  return send(200, { scopes: [...new Set(allowed)] });
}

function sendOauthError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof TooManyRequests) {
    const error_description = `Too many requests. Try again in ${error.retryAfter} seconds.`;
    const body = JSON.stringify({ error: "temporarily_unavailable", error_description });
    return reply.code(429).header("Retry-After", error.retryAfter).type(json).send(body);
  }
  const { statusCode } = error as { statusCode?: number };
  const isUnreadable = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  const oauthError = isUnreadable ? new OauthError("invalid_request", "The request could not be read.") : error;
  if (!(oauthError instanceof OauthError)) throw error; // the server logs it and answers 5xx
  return reply.code(400).type(json).send(buildErrorBody(oauthError));
}
