import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { giveFeedbackByLink, type VerifiedFeedbackLink, verifyFeedbackLink } from "../../actions/feedback.ts";
import type { Engine } from "../../engine/engine.ts";
import { parseFormBody } from "../form-body.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { sendPublicPage } from "./public-page.ts";

// Opened by the links in `feedback`. The signature of the link replaces a session. Only a POST counts as an answer: mail
// scanners open links, too.

const sendFeedbackPage = (reply: FastifyReply, title: string, body: HtmlPart, status = 200): FastifyReply =>
  sendPublicPage(reply, title, body, { status });

type PathParameters = { request: string; person: string; answer: string; signature: string };
const path = "/feedback/:request/:person/:answer/:signature";

export function registerFeedbackPages(engine: Engine, app: FastifyInstance): void {
  const loadLink = async (request: FastifyRequest): Promise<VerifiedFeedbackLink | null> => {
    const parameters = request.params as PathParameters;
    const [id, person] = [Number(parameters.request), Number(parameters.person)];
    const areIds = Number.isSafeInteger(id) && Number.isSafeInteger(person) && Math.max(id, person) < 2 ** 31;
    return areIds ? verifyFeedbackLink(engine, { ...parameters, request: id, person }) : null;
  };
  const sendExpiredPage = (reply: FastifyReply) =>
    sendFeedbackPage(
      reply,
      "This link has expired",
      html`<p>You've already given feedback, or the request was reopened.</p>`,
      404,
    );

  app.get(path, async (request, reply) => {
    const link = await loadLink(request);
    if (link === null) return sendExpiredPage(reply);
    const isSatisfied = link.answer === "satisfied";
    const complaintFields = html`<label>What went wrong?<textarea name="note" rows="5" required></textarea></label>
<label><input type="checkbox" name="reopen" value="true"> Reopen the request</label>`;
    return sendFeedbackPage(
      reply,
      isSatisfied ? "Are you satisfied with the result?" : "What could we have done better?",
      html`<p>${link.subject}</p>
<form method="post" class="full">${!isSatisfied && complaintFields}<button>${isSatisfied ? "Yes, I'm satisfied" : "Send feedback"}</button></form>`,
    );
  });
  app.post(path, async (request, reply) => {
    const link = await loadLink(request);
    if (link === null) return sendExpiredPage(reply);
    const form = parseFormBody(request);
    const note = (form.get("note") ?? "").trim();
    if (link.answer === "dissatisfied" && note === "")
      return sendFeedbackPage(
        reply,
        "Please tell us what went wrong",
        html`<p>Go back and add a short comment.</p>`,
        422,
      );
    const isStored = await giveFeedbackByLink(engine, link, { note, reopen: form.get("reopen") === "true" });
    if (!isStored) return sendExpiredPage(reply);
    return sendFeedbackPage(reply, "Thank you", html`<p>Thanks for your feedback.</p>`);
  });
}
