import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getMailTexts } from "../../../records/notifications/index.ts";
import type { Notifications } from "../../notifications/context.ts";
import { fillPlaceholders } from "../../notifications/format-values.ts";
import type { MailRecipient } from "../../notifications/mail-recipients.ts";
import { disableNotifications, findLinkRecipient } from "../../notifications/unsubscribe.ts";
import { html } from "../layout/html.ts";
import { sendPublicPage } from "./public-page.ts";

// Where the link below every mail leads. A mail program may POST here by itself (RFC 8058); that somebody only looked is
// no answer.

const path = "/unsubscribe/:person/:signature";

export function registerUnsubscribePages({ engine, secret }: Notifications, app: FastifyInstance): void {
  const askedFor = async (request: FastifyRequest): Promise<MailRecipient | null> => {
    const { person = "", signature = "" } = request.params as Record<string, string>;
    return /^[1-9]\d{0,8}$/.test(person) ? findLinkRecipient(engine, secret, Number(person), signature) : null;
  };
  const wordsFor = (reader: MailRecipient | null) => {
    const { unsubscribePage: leaving } = getMailTexts(reader?.me.locale ?? "en");
    const values = { account: "Steward", address: reader?.address ?? "" };
    return (name: keyof typeof leaving) => fillPlaceholders(leaving[name], values);
  };
  const usedUp = (reply: FastifyReply) => sendPublicPage(reply, wordsFor(null)("gone"), html``, { status: 404 });

  app.get(path, async (request, reply) => {
    const reader = await askedFor(request);
    if (reader === null) return usedUp(reply);
    const words = wordsFor(reader);
    const body = html`<p>${words("question")}</p>
<form method="post" class="full"><button>${words("button")}</button></form>`;
    return sendPublicPage(reply, words("title"), body, { language: reader.me.locale });
  });
  app.post(path, async (request, reply) => {
    const reader = await askedFor(request);
    if (reader === null) return usedUp(reply);
    await disableNotifications(engine, reader);
    const words = wordsFor(reader);
    return sendPublicPage(reply, words("title"), html`<p>${words("done")}</p>`, { language: reader.me.locale });
  });
}
