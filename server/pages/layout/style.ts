import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { EntranceConfig } from "../../api/http/admission/http-admission.ts";
import { StaticContent, sendStatic } from "../../api/http/static-content.ts";

const font = readFileSync(
  createRequire(import.meta.url).resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
);
const getHash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 12);

const fontAddress = `/assets/inter-${getHash(font)}.woff2`;
const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8").replace("FONT_ADDRESS", fontAddress);

/** The URL contains a hash of the content, so browsers may cache it without limit. */
export const styleAddress = `/assets/steward-${getHash(style)}.css`;

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
  const fontContent = new StaticContent("font/woff2", font);
  app.get(fontAddress, { config }, async (request, reply) =>
    sendStatic(request, reply.header("Cache-Control", "public, max-age=31536000, immutable"), fontContent),
  );
  app.get(iconAddress, { config }, async (request, reply) =>
    sendStatic(request, reply.header("Cache-Control", "public, max-age=86400"), iconContent),
  );
}
