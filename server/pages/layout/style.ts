import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { EntranceConfig } from "../../api/http/admission/http-admission.ts";
import { StaticContent, sendStatic } from "../../api/http/static-content.ts";

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8");

/** The URL contains a hash of the content, so browsers may cache it without limit. */
export const styleAddress = `/assets/steward-${createHash("sha256").update(style).digest("hex").slice(0, 12)}.css`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1257b8"/><path d="M22 11c-1-3-11-4-11 1s11 3 11 8-10 4-12 1" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';
export const iconAddress = "/assets/steward.svg";

export function registerStyleRoute(app: FastifyInstance): void {
  const config: EntranceConfig = { isStatic: true };
  const [styleContent, iconContent] = [
    new StaticContent("text/css; charset=utf-8", style),
    new StaticContent("image/svg+xml", icon),
  ];
  app.get(styleAddress, { config }, async (request, reply) =>
    sendStatic(request, reply.header("Cache-Control", "public, max-age=31536000, immutable"), styleContent),
  );
  app.get(iconAddress, { config }, async (request, reply) =>
    sendStatic(request, reply.header("Cache-Control", "public, max-age=86400"), iconContent),
  );
}
