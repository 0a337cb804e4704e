import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EntranceConfig } from "./http/admission/http-admission.ts";
import { StaticContent, sendStatic } from "./http/static-content.ts";

// The interactive reference at /docs/api: Swagger UI from node_modules. This process serves all files, so the page works
// offline and contacts no third party.

const pageFolder = join(dirname(fileURLToPath(import.meta.url)), "docs-page");
const findSwaggerFolder = () => dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

// biome-ignore format: a table keeps its columns
const files: Record<string, { path: () => string; type: string }> = {
  "":                     { path: () => join(pageFolder, "page.html"),                type: "text/html; charset=utf-8" },
  "page.css":             { path: () => join(pageFolder, "page.css"),                 type: "text/css; charset=utf-8" },
  "start.js":             { path: () => join(pageFolder, "start.js"),                 type: "text/javascript; charset=utf-8" },
  "part.js":              { path: () => join(pageFolder, "part.js"),                  type: "text/javascript; charset=utf-8" },
  "icon.svg":             { path: () => join(pageFolder, "icon.svg"),                 type: "image/svg+xml" },
  "swagger-ui.css":       { path: () => join(findSwaggerFolder(), "swagger-ui.css"),       type: "text/css; charset=utf-8" },
  "swagger-ui-bundle.js": { path: () => join(findSwaggerFolder(), "swagger-ui-bundle.js"), type: "text/javascript; charset=utf-8" },
};

// Swagger UI has icons as data: URLs in its style sheet. Inline scripts and styles are not allowed.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const securityHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

const config: EntranceConfig = { isStatic: true };

export function registerDocsPage(app: FastifyInstance): void {
  for (const [name, { path, type }] of Object.entries(files)) {
    let content: Promise<StaticContent> | null = null;
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      content ??= readFile(path()).then((bytes) => new StaticContent(type, bytes));
      reply.headers(securityHeaders);
      return sendStatic(request, reply, await content);
    };
    app.get(name === "" ? "/docs/api" : `/docs/api/${name}`, { config }, serve);
    if (name === "") app.get("/docs/api/", { config }, serve);
  }
  for (const path of ["/docs", "/docs/"]) app.get(path, async (_request, reply) => reply.redirect("/docs/api"));
}
