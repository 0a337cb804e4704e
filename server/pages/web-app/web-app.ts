import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EntranceConfig } from "../../api/http/admission/http-admission.ts";
import { type StaticContent, sendStatic } from "../../api/http/static-content.ts";
import { NotFound } from "../../base/errors.ts";
import { redirectTo } from "../responses.ts";
import { builtFolder, loadBuiltFiles } from "./built-files.ts";

// Serves the web application: one page for every path below /a/, and its files below /web/. The application uses the REST
// API like any other client.

/** No inline scripts. The style elements of the component library carry the nonce of the page. */
const buildContentSecurityPolicy = (nonce: string, storage: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${storage}`,
    "font-src 'self'",
    `connect-src 'self'${storage}`,
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const noncePlaceholder = "NONCE_OF_THIS_PAGE";
const notBuiltMessage =
  "The web interface hasn't been built yet. Run npm install, then start the server with npm start.\n";

function sendShell(
  page: StaticContent | undefined,
  storageOrigin: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A client that asks for JSON must not get a page.
  if (!/text\/html|\*\/\*/.test(request.headers.accept ?? "*/*")) throw new NotFound();
  reply.header("Cache-Control", "no-store");
  if (page === undefined) return reply.code(503).type("text/plain; charset=utf-8").send(notBuiltMessage);
  const nonce = randomBytes(16).toString("base64");
  return reply
    .headers({
      "Content-Security-Policy": buildContentSecurityPolicy(nonce, storageOrigin === null ? "" : ` ${storageOrigin}`),
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
    })
    .type(page.type)
    .send(page.bytes.toString("utf8").replaceAll(noncePlaceholder, nonce));
}

function sendFile(
  path: string,
  file: StaticContent,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // File names in assets/ contain a hash of the content.
  const isImmutable = path.startsWith("assets/");
  reply.header("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  return sendStatic(request, reply, file);
}

const config: EntranceConfig = { isStatic: true };

/** The portal for people who only ask for help in the account, and for everyone below /portal; the workspace for all others. */
type PickPage = (request: FastifyRequest, reply: FastifyReply) => Promise<"index.html" | "portal.html">;
/** The target of "/" for a person who is signed in; null for all others. */
type PickStart = (request: FastifyRequest) => Promise<string | null>;

/** `storageOrigin`: where browsers exchange files with the object storage directly. */
export function registerWebApp(
  app: FastifyInstance,
  { pickPage, pickStart }: { pickPage: PickPage; pickStart: PickStart },
  storageOrigin: string | null,
  folder: string = builtFolder,
): void {
  let built: Promise<ReadonlyMap<string, StaticContent>> | null = null;
  const files = async () => {
    built ??= loadBuiltFiles(folder);
    if ((await built).size === 0) built = null; // it may be built later
    return built ?? new Map<string, StaticContent>();
  };
  const page = async (request: FastifyRequest, reply: FastifyReply) =>
    sendShell((await files()).get(await pickPage(request, reply)), storageOrigin, request, reply);
  app.get("/", { config }, async (request, reply) => {
    const start = await pickStart(request);
    if (start === null) return page(request, reply);
    reply.header("Cache-Control", "no-store");
    return redirectTo(reply, start + (request.raw.url ?? "/").slice(1));
  });
  app.get("/a/*", { config }, page);
  app.get("/web/*", { config }, async (request, reply) => {
    const path = (request.params as { "*": string })["*"];
    const file = path.endsWith(".html") ? undefined : (await files()).get(path);
    if (file === undefined) throw new NotFound();
    return sendFile(path, file, request, reply);
  });
}
