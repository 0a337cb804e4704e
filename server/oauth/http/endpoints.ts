import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Oauth } from "../context.ts";
import { buildErrorBody, OauthError } from "../errors.ts";
import { handleRevocationRequest } from "../token/revocation.ts";
import { handleTokenRequest } from "../token/token-request.ts";
import { buildMetadata } from "./metadata.ts";
import { parseClientCredentials, parseTokenParameters } from "./parse-request.ts";

// What programs call below {auth_url}; what people see there is in pages/.

const json = "application/json; charset=utf-8";

export function oauthEndpoints(oauth: Oauth, originOf: (request: FastifyRequest) => string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("Cache-Control", "no-store").header("Pragma", "no-cache");
    });
    app.setErrorHandler((error, _request, reply) => sendOauthError(error, reply));

    const token = async (request: FastifyRequest, reply: FastifyReply) => {
      const parameters = parseTokenParameters(request);
      parameters.required("grant_type"); // told before the credentials are
      const answer = await handleTokenRequest(oauth, parameters, parseClientCredentials(request, parameters));
      return reply.type(json).send(JSON.stringify(answer));
    };
    app.post("/oauth/token", token);
    app.post("/token", token); // some clients leave the folder out

    app.post("/oauth/revoke", async (request, reply) => {
      const parameters = parseTokenParameters(request);
      parameters.required("token");
      await handleRevocationRequest(oauth, parameters, parseClientCredentials(request, parameters));
      return reply.type(json).send("{}");
    });

    app.get("/oauth/introspect", (request, reply) => introspect(oauth, request, reply));

    // The issuer is the address that the client asked under, so that it finds what it expects: RFC 8414, section 3.
    const wellKnown = "/.well-known/oauth-authorization-server";
    for (const [path, issuer] of [
      [wellKnown, ""],
      [`${wellKnown}/oauth`, "/oauth"],
      [`/oauth${wellKnown}`, "/oauth"],
    ] as const)
      app.get(path, async (request, reply) => {
        const origin = originOf(request);
        return reply.type(json).send(JSON.stringify(buildMetadata(origin, `${origin}${issuer}`)));
      });
  };
}

/** What a token may do: the actions of its scopes that allow something. */
async function introspect(oauth: Oauth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const say = (status: number, body: unknown) => reply.code(status).type(json).send(JSON.stringify(body));
  if (request.raw.url?.includes("?token=") || request.raw.url?.includes("&token="))
    return say(400, { message: "Send the token in the Authorization header" });
  const sent = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1];
  const identity = sent === undefined ? null : await oauth.identities.identify(sent);
  if (identity === null) {
    reply.header("WWW-Authenticate", "Bearer");
    return say(401, { message: "Unauthorized" });
  }
  const allowed = identity.scopes.filter((scope) => scope.effect === "allow").flatMap((scope) => scope.actions);
  return say(200, { scopes: [...new Set(allowed)] });
}

function sendOauthError(error: unknown, reply: FastifyReply): FastifyReply {
  const { statusCode } = error as { statusCode?: number };
  const unreadable = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  const told = unreadable ? new OauthError("invalid_request", "The request could not be read.") : error;
  if (!(told instanceof OauthError)) throw error; // ours to log, and a plain 5xx
  return reply.code(400).type(json).send(buildErrorBody(told));
}
