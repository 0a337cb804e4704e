import type { FastifyReply } from "fastify";
import type { Html } from "./layout/html.ts";

/** No script at all, nothing from elsewhere, no frame around us; forms go to us, and where we send people on. */
function buildContentSecurityPolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Browsers hold a redirect that follows a form against the policy too: the application's address must be in it. */
export function getFormTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === "https:" || url.protocol === "http:" ? url.origin : url.protocol;
}

export function setPageHeaders(reply: FastifyReply, formTargets: readonly string[] = []): void {
  reply.header("Content-Security-Policy", buildContentSecurityPolicy(formTargets));
  reply.header("X-Frame-Options", "DENY");
  reply.header("Cache-Control", "no-store");
  // Not "no-referrer": with it browsers send the origin "null" with our own forms.
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
