import type { FastifyReply } from "fastify";
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
