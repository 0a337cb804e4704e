import type { FastifyReply, FastifyRequest } from "fastify";
import { parseLanguage } from "../../../records/languages/index.ts";
import { getMailTexts } from "../../../records/notifications/index.ts";
import { renderHead } from "../layout/head.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { sendPage } from "../responses.ts";

/** A page for people who follow a link in an email, without a session. */
export const sendPublicPage = (
  reply: FastifyReply,
  title: string,
  body: HtmlPart,
  { status = 200, language = "en" }: { status?: number; language?: string } = {},
): FastifyReply =>
  sendPage(
    reply,
    html`<!doctype html>
<html lang="${language}">
${renderHead(title)}
<body><main id="content" class="narrow"><div class="card"><h1>${title}</h1>${body}</div></main></body>
</html>`,
    status,
  );

/** For links that are wrong or have expired; the reader is unknown, so the browser decides the language. */
export function sendInvalidLinkPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [wanted = ""] = String(request.headers["accept-language"] ?? "").split(/[,;]/);
  const language = parseLanguage(wanted.trim()) ?? "en";
  const { title, lead, signIn } = getMailTexts(language).invalidLink;
  return sendPublicPage(reply, title, html`<p>${lead}</p><p><a href="/">${signIn}</a></p>`, { status: 404, language });
}
