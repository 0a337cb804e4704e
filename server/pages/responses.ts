import type { FastifyReply } from "fastify";
import type { Html } from "./layout/html.ts";

/** Extra permissions of a page: submit forms to `formTargets` as well, run the script for passkeys. */
export type PageRights = { formTargets?: readonly string[]; script?: boolean };

/** No scripts unless enabled, no third-party content, no framing. */
function buildContentSecurityPolicy({ formTargets = [], script = false }: PageRights): string {
  return [
    "default-src 'none'",
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ["form-action 'self'", ...formTargets].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Browsers apply form-action to redirects after a form, too: the policy must contain the application's origin. */
export function getFormTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === "https:" || url.protocol === "http:" ? url.origin : url.protocol;
}

export function setPageHeaders(reply: FastifyReply, rights: PageRights = {}): void {
  reply.header("Content-Security-Policy", buildContentSecurityPolicy(rights));
  reply.header("X-Frame-Options", "DENY");
  reply.header("Cache-Control", "no-store");
  // With "no-referrer" browsers would send "Origin: null" with our own forms.
  reply.header("Referrer-Policy", "same-origin");
}

export function sendPage(reply: FastifyReply, page: Html, status = 200, rights: PageRights = {}): FastifyReply {
  setPageHeaders(reply, rights);
  return reply.code(status).type("text/html; charset=utf-8").send(page.text);
}

export function redirectTo(reply: FastifyReply, address: string): FastifyReply {
  setPageHeaders(reply);
  return reply.code(302).header("Location", address).send();
}
