import type { FastifyReply } from "fastify";
import { show } from "./answer.ts";
import { html, type Part } from "./html.ts";
import { iconAddress, styleAddress } from "./style.ts";

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
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Steward</title>
<link rel="icon" href="${iconAddress}" type="image/svg+xml">
<link rel="stylesheet" href="${styleAddress}">
</head>
<body><main id="content" class="narrow"><div class="card"><h1>${title}</h1>${body}</div></main></body>
</html>`,
    status,
  );
