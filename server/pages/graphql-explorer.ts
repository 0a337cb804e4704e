import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { StaticContent, sendStatic } from "../api/http/static-content.ts";
import { loadSession } from "../oauth/sessions/sessions.ts";
import { readCookie } from "./cookies.ts";
import { type PagesContext, sessionCookie } from "./visit.ts";

// GET /graphql in a browser: the explorer of the graph for people who are signed in (D-384). Programs send POST.

const folder = join(import.meta.dirname, "graphql-explorer");
const types: Record<string, string> = {
  "page.css": "text/css; charset=utf-8",
  "explorer.js": "text/javascript; charset=utf-8",
  "documentation.js": "text/javascript; charset=utf-8",
  "language.js": "text/javascript; charset=utf-8",
};

const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

const config: EntranceConfig = { isStatic: true };

export function registerGraphqlExplorer(pages: PagesContext, app: FastifyInstance): void {
  const contents = new Map<string, Promise<StaticContent>>();
  const load = (name: string, type: string): Promise<StaticContent> => {
    const content = contents.get(name) ?? readFile(join(folder, name)).then((bytes) => new StaticContent(type, bytes));
    contents.set(name, content);
    return content;
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!/text\/html/.test(request.headers.accept ?? ""))
      return reply
        .code(405)
        .headers({ Allow: "POST" })
        .type("application/json; charset=utf-8")
        .send('{"message":"Method Not Allowed"}');
    const secret = readCookie(request, sessionCookie, pages.getOrigin(request));
    const session = secret === null ? null : await loadSession(pages.oauth, secret, pages.getClientAddress(request));
    if (session === null) return reply.redirect(`/sign_in?return_to=${encodeURIComponent("/graphql")}`);
    reply.headers(securityHeaders);
    return sendStatic(request, reply, await load("page.html", "text/html; charset=utf-8"));
  };
  for (const path of ["/graphql", "/graphql/"]) app.get(path, { config }, sendPage);
  for (const [name, type] of Object.entries(types))
    app.get(`/graphql/explorer/${name}`, { config }, async (request, reply) => {
      reply.headers(securityHeaders);
      return sendStatic(request, reply, await load(name, type));
    });
}
