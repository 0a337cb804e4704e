import type { FastifyReply } from "fastify";
import { show } from "./answer.ts";
import { head } from "./head.ts";
import { html, type Part } from "./html.ts";

/** A page for people who came by a link in a mail: nobody is signed in. */
export const openPage = (
  reply: FastifyReply,
  title: string,
  body: Part,
  { status = 200, language = "en" }: { status?: number; language?: string } = {},
): FastifyReply =>
  show(
    reply,
    html`<!doctype html>
<html lang="${language}">
${head(title)}
<body><main id="content" class="narrow"><div class="card"><h1>${title}</h1>${body}</div></main></body>
</html>`,
    status,
  );
