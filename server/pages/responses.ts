import type { FastifyReply } from "fastify";
import type { Html } from "./layout/html.ts";

/** No scripts, no third-party content, no framing; forms may submit to this server and to `formTargets`. */
function buildContentSecurityPolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
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

export function setPageHeaders(reply: FastifyReply, formTargets: readonly string[] = []): void {
  reply.header("Content-Security-Policy", buildContentSecurityPolicy(formTargets));
  reply.header("X-Frame-Options", "DENY");
  reply.header("Cache-Control", "no-store");
  // With "no-referrer" browsers would send "Origin: null" with our own forms.
  reply.header("Referrer-Policy", "same-origin");
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  status = 200,
  formTargets: readonly string[] = [],
): FastifyReply {
  setPageHeaders(reply, formTargets);
  return reply.code(status).type("text/html; charset=utf-8").send(page.text);
}

export function redirectTo(reply: FastifyReply, address: string): FastifyReply {
  setPageHeaders(reply);
  return reply.code(302).header("Location", address).send();
}
