import type { FastifyInstance, FastifyRequest } from "fastify";
import { getMailTexts } from "../../../records/notifications/index.ts";
import { fillPlaceholders } from "../../notifications/format-values.ts";
import type { MailRecipient } from "../../notifications/mail-recipients.ts";
import type { Notifications } from "../../notifications/notifications-context.ts";
import { disableNotifications, findLinkRecipient } from "../../notifications/unsubscribe.ts";
import { html } from "../layout/html.ts";
import { sendInvalidLinkPage, sendPublicPage } from "./public-page.ts";

// Opened by the link at the end of every notification. Mail programs may POST without showing the page (RFC 8058); a GET
// changes nothing.

const path = "/unsubscribe/:person/:signature";

export function registerUnsubscribePages({ engine, secret }: Notifications, app: FastifyInstance): void {
  const loadRecipient = async (request: FastifyRequest): Promise<MailRecipient | null> => {
    const { person = "", signature = "" } = request.params as Record<string, string>;
    return /^[1-9]\d{0,8}$/.test(person) ? findLinkRecipient(engine, secret, Number(person), signature) : null;
  };
  const textsFor = (recipient: MailRecipient | null) => {
    const { unsubscribePage: texts } = getMailTexts(recipient?.me.locale ?? "en");
    const values = { account: "Steward", address: recipient?.address ?? "" };
    return (name: keyof typeof texts) => fillPlaceholders(texts[name], values);
  };

  app.get(path, async (request, reply) => {
    const recipient = await loadRecipient(request);
    if (recipient === null) return sendInvalidLinkPage(request, reply);
    const getText = textsFor(recipient);
    const body = html`<p>${getText("question")}</p>
<form method="post" class="full"><button>${getText("button")}</button></form>`;
    return sendPublicPage(reply, getText("title"), body, { language: recipient.me.locale });
  });
  app.post(path, async (request, reply) => {
    const recipient = await loadRecipient(request);
    if (recipient === null) return sendInvalidLinkPage(request, reply);
    await disableNotifications(engine, recipient);
    const getText = textsFor(recipient);
    return sendPublicPage(reply, getText("title"), html`<p>${getText("done")}</p>`, { language: recipient.me.locale });
  });
}
