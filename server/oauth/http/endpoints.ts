import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Oauth } from "../context.ts";
import { buildErrorBody, OauthError } from "../errors.ts";
import { handleRevocationRequest } from "../token/revocation.ts";
import { handleTokenRequest } from "../token/token-request.ts";
import { buildMetadata } from "./metadata.ts";
import { parseClientCredentials, parseTokenParameters } from "./parse-request.ts";

// The OAuth endpoints for programs. pages/ holds those for people.

const json = "application/json; charset=utf-8";

export function oauthEndpoints(oauth: Oauth, getOrigin: (request: FastifyRequest) => string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("Cache-Control", "no-store").header("Pragma", "no-cache");
    });
    app.setErrorHandler((error, _request, reply) => sendOauthError(error, reply));

    const handleToken = async (request: FastifyRequest, reply: FastifyReply) => {
      const parameters = parseTokenParameters(request);
      parameters.required("grant_type"); // reported before missing credentials
      const response = await handleTokenRequest(oauth, parameters, parseClientCredentials(request, parameters));
      return reply.type(json).send(JSON.stringify(response));
    };
    app.post("/oauth/token", handleToken);
    app.post("/token", handleToken); // some clients omit the folder

    app.post("/oauth/revoke", async (request, reply) => {
      const parameters = parseTokenParameters(request);
      parameters.required("token");
      await handleRevocationRequest(oauth, parameters, parseClientCredentials(request, parameters));
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
        const origin = getOrigin(request);
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
  const { statusCode } = error as { statusCode?: number };
  const isUnreadable = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  const oauthError = isUnreadable ? new OauthError("invalid_request", "The request could not be read.") : error;
  if (!(oauthError instanceof OauthError)) throw error; // the server logs it and answers 5xx
  return reply.code(400).type(json).send(buildErrorBody(oauthError));
}
