import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8");

/** The URL contains a hash of the content, so browsers may cache it without limit. */
export const styleAddress = `/assets/steward-${createHash("sha256").update(style).digest("hex").slice(0, 12)}.css`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1257b8"/><path d="M22 11c-1-3-11-4-11 1s11 3 11 8-10 4-12 1" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';
export const iconAddress = "/assets/steward.svg";

export function registerStyleRoute(app: FastifyInstance): void {
  app.get(styleAddress, async (_request, reply) =>
    reply.header("Cache-Control", "public, max-age=31536000, immutable").type("text/css; charset=utf-8").send(style),
  );
  app.get(iconAddress, async (_request, reply) =>
    reply.header("Cache-Control", "public, max-age=86400").type("image/svg+xml").send(icon),
  );
}
