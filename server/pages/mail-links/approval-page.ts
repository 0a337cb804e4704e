import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getMailTexts } from "../../../records/notifications/index.ts";
import { Forbidden, Invalid } from "../../base/errors.ts";
import { renderMarkup } from "../../base/markup/index.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { type ApprovalDetails, describeApproval } from "../../notifications/approval-details.ts";
import {
  decideByLink,
  isDecision,
  type VerifiedApproval,
  verifyApprovalLink,
} from "../../notifications/approval-links.ts";
import { fillPlaceholders } from "../../notifications/format-values.ts";
import type { MailRecipient } from "../../notifications/mail-recipients.ts";
import type { Notifications } from "../../notifications/notifications-context.ts";
import { parseFormBody } from "../form-body.ts";
import { Html, type HtmlPart, html } from "../layout/html.ts";
import { sendInvalidLinkPage, sendPublicPage } from "./public-page.ts";

// Opened by the links of a mail that asks for an approval. The signature of the link replaces a session; the page works
// without JavaScript, and a GET changes nothing.

const path = "/approvals/:approval/:person/:decision/:signature";
const maxNote = 10_000;

const renderDetails = ({ people, order, reason }: ApprovalDetails): HtmlPart => {
  const renderRows = (rows: ApprovalDetails["order"]) =>
    rows.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`);
  return [
    people.length > 0 && html`<table class="facts">${renderRows(people)}</table>`,
    order.length > 0 && html`<table class="facts order">${renderRows(order)}</table>`,
    reason !== null && html`<blockquote>${new Html(renderMarkup(reason, { withoutImages: true }))}</blockquote>`,
  ];
};

export function registerApprovalPages(notifications: Notifications, app: FastifyInstance): void {
  const loadLink = async (request: FastifyRequest) => {
    const { approval = "", person = "", decision = "", signature = "" } = request.params as Record<string, string>;
    const areIds = /^[1-9]\d{0,8}$/.test(approval) && /^[1-9]\d{0,8}$/.test(person);
    if (!areIds || !isDecision(decision)) return null;
    return verifyApprovalLink(notifications, {
      approval: Number(approval),
      person: Number(person),
      decision,
      signature,
    });
  };
  const textsFor = (reader: MailRecipient | null) => getMailTexts(reader?.me.locale ?? "en").approvalPage;
  const send = (reply: FastifyReply, reader: MailRecipient | null, title: string, body: HtmlPart, status = 200) =>
    sendPublicPage(reply, title, body, { status, language: reader?.me.locale ?? "en" });
  const sendUsed = (reply: FastifyReply, reader: MailRecipient, names: string | null) => {
    const texts = textsFor(reader);
    const text = names === null ? "" : fillPlaceholders(texts.decidedBy, { names });
    return send(reply, reader, texts.used, html`<p>${text}</p>`, 410);
  };
  const sendQuestion = (reply: FastifyReply, approval: VerifiedApproval, isNoteMissing: boolean) => {
    const { row, request, reader, decision } = approval;
    const texts = textsFor(reader);
    const isRejection = decision === "rejected";
    const title = fillPlaceholders(isRejection ? texts.rejectTitle : texts.approveTitle, {
      subject: request?.subject ?? row.subject,
    });
    const body = html`${request !== null && html`<p>${row.subject}</p>${renderDetails(describeApproval(reader, request))}`}
<form method="post" class="full"><label>${isRejection ? texts.why : texts.note}<textarea name="note" rows="4" maxlength="${maxNote}"></textarea></label>
${isNoteMissing && html`<p role="alert">${texts.whyMissing}</p>`}<button>${isRejection ? texts.reject : texts.approve}</button></form>`;
    return send(reply, reader, title, body, isNoteMissing ? 422 : 200);
  };

  app.get(path, async (request, reply) => {
    const link = await loadLink(request);
    if (link === null) return sendInvalidLinkPage(request, reply);
    return "used" in link ? sendUsed(reply, link.reader, link.decidedBy) : sendQuestion(reply, link, false);
  });
  app.post(path, async (request, reply) => {
    const link = await loadLink(request);
    if (link === null) return sendInvalidLinkPage(request, reply);
    if ("used" in link) return sendUsed(reply, link.reader, link.decidedBy);
    const note = (parseFormBody(request).get("note") ?? "").trim().slice(0, maxNote);
    if ((link.decision === "rejected" && note === "") || !isStorable(note)) return sendQuestion(reply, link, true);
    try {
      await decideByLink(notifications.engine, link, note);
    } catch (error) {
      // Another approver decided at the same moment, or the task was withdrawn.
      if (!(error instanceof Forbidden || error instanceof Invalid)) throw error;
      return sendUsed(reply, link.reader, link.row.decided_by);
    }
    const texts = textsFor(link.reader);
    const done = link.decision === "approved" ? texts.didApprove : texts.didReject;
    return send(reply, link.reader, done, html`<p>${link.request?.subject ?? link.row.subject}</p>`);
  });
}
