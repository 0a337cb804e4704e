import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Engine } from "../../engine/engine.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { giveFeedback, type Satisfaction, verifyFeedbackLink } from "../../rules/request/feedback.ts";
import { parseFormBody } from "../form-body.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { sendPublicPage } from "./public-page.ts";

// Where the addresses of `feedback` lead. The address itself is the leave to answer, so nobody needs to sign in; that it
// was only looked at, by a mail scanner for instance, is no answer.

const sendFeedbackPage = (reply: FastifyReply, title: string, body: HtmlPart, status = 200): FastifyReply =>
  sendPublicPage(reply, title, body, { status });

type FeedbackAddress = { request: string; person: string; answer: string; signature: string };
const path = "/feedback/:request/:person/:answer/:signature";

export function registerFeedbackPages(engine: Engine, app: FastifyInstance): void {
  const askedFor = async (request: FastifyRequest) => {
    const given = request.params as FeedbackAddress;
    const [id, person] = [Number(given.request), Number(given.person)];
    const isNumber = Number.isSafeInteger(id) && Number.isSafeInteger(person) && Math.max(id, person) < 2 ** 31;
    const found = isNumber ? await verifyFeedbackLink(engine, { ...given, request: id, person }) : null;
    return found === null ? null : { ...found, id, personId: person, answer: given.answer as Satisfaction };
  };
  const usedUp = (reply: FastifyReply) =>
    sendFeedbackPage(
      reply,
      "This link does not work any more",
      html`<p>The request was answered or opened again.</p>`,
      404,
    );

  app.get(path, async (request, reply) => {
    const asked = await askedFor(request);
    if (asked === null) return usedUp(reply);
    const isGood = asked.answer === "satisfied";
    const why = html`<label>What went wrong?<textarea name="note" rows="5" required></textarea></label>
<label><input type="checkbox" name="reopen" value="true"> Open the request again</label>`;
    return sendFeedbackPage(
      reply,
      isGood ? "Are you satisfied?" : "Are you not satisfied?",
      html`<p>${asked.subject}</p>
<form method="post" class="full">${!isGood && why}<button>${isGood ? "Yes, I am satisfied" : "I am not satisfied"}</button></form>`,
    );
  });
  app.post(path, async (request, reply) => {
    const asked = await askedFor(request);
    if (asked === null) return usedUp(reply);
    const form = parseFormBody(request);
    const note = (form.get("note") ?? "").trim();
    if (asked.answer === "dissatisfied" && note === "")
      return sendFeedbackPage(reply, "Tell us what went wrong", html`<p>Go back and write a few words.</p>`, 422);
    const service = await engine.database.transaction((tx) => loadServiceCaller(tx, asked.account, engine.clock.now()));
    const { isService: _, ...nobody } = service;
    const by = {
      ...nobody,
      person: asked.personId,
      roles: new Set<string>(),
      me: { ...service.me, id: asked.personId, name: asked.person, roles: new Map() },
    };
    const taken = await giveFeedback(engine, by, asked, {
      answer: asked.answer,
      ...(note === "" ? {} : { note }),
      reopen: form.get("reopen") === "true" && asked.answer === "dissatisfied",
    });
    if (!taken) return usedUp(reply);
    return sendFeedbackPage(reply, "Thank you", html`<p>Your answer has been noted.</p>`);
  });
}
