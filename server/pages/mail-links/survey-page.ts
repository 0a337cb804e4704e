import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getMailTexts } from "../../../records/notifications/index.ts";
import { type Answer, answerSurvey, parseAnswers } from "../../actions/surveys/answer-survey.ts";
import { fillPlaceholders } from "../../notifications/format-values.ts";
import type { MailRecipient } from "../../notifications/mail-recipients.ts";
import type { Notifications } from "../../notifications/notifications-context.ts";
import { findSurveyReader } from "../../notifications/survey-links.ts";
import {
  type AskedSurvey,
  loadAskedSurvey,
  loadQuestions,
  type Question,
} from "../../rules/communication/asked-survey.ts";
import { parseFormBody } from "../form-body.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { sendInvalidLinkPage, sendPublicPage } from "./public-page.ts";

// SV7: a survey, opened by the link of a mail or of the portal. The signature of the link replaces a session; the page
// works without JavaScript, on a phone one question fills the screen, and only its form answers.

const path = "/survey/:service/:person/:signature";
const mostStars = [1, 2, 3, 4, 5];

type OpenedLink = { reader: MailRecipient; asked: AskedSurvey };

export function registerSurveyPages(notifications: Notifications, app: FastifyInstance): void {
  const { engine } = notifications;
  const openLink = async (request: FastifyRequest): Promise<OpenedLink | null> => {
    const { service = "", person = "", signature = "" } = request.params as Record<string, string>;
    if (![service, person].every((id) => /^[1-9]\d{0,8}$/.test(id))) return null;
    const reader = await findSurveyReader(notifications, Number(service), Number(person), signature);
    const asked = reader === null ? null : await loadAskedSurvey(engine, Number(service), reader.me.id);
    return reader === null || asked === null ? null : { reader, asked };
  };
  const textsFor = (reader: MailRecipient | null) => getMailTexts(reader?.me.locale ?? "en").surveyPage;
  const send = (reply: FastifyReply, reader: MailRecipient | null, title: string, body: HtmlPart, status = 200) =>
    sendPublicPage(reply, title, body, { status, language: reader?.me.locale ?? "en" });
  const sendUsed = (reply: FastifyReply, reader: MailRecipient) =>
    send(reply, reader, textsFor(reader).used, html``, 410);
  const sendForm = async (reply: FastifyReply, { reader, asked }: OpenedLink, isEmpty: boolean) => {
    const questions = await loadQuestions(engine, asked);
    const texts = textsFor(reader);
    const body = html`${asked.survey.introduction !== null && html`<p>${asked.survey.introduction}</p>`}
<p><strong>${asked.service.name}</strong></p>
<form method="post" class="full survey">${questions.map((question) => renderQuestion(question, texts.stars))}
${isEmpty && html`<p role="alert">${texts.nothing}</p>`}<button>${texts.send}</button></form>`;
    return send(reply, reader, asked.survey.name, body, isEmpty ? 422 : 200);
  };

  app.get(path, async (request, reply) => {
    const link = await openLink(request);
    if (link === null) return sendInvalidLinkPage(request, reply);
    return link.asked.isAnswered ? sendUsed(reply, link.reader) : sendForm(reply, link, false);
  });
  app.post(path, async (request, reply) => {
    const link = await openLink(request);
    if (link === null) return sendInvalidLinkPage(request, reply);
    const { reader, asked } = link;
    const answers: Answer[] = parseAnswers(await loadQuestions(engine, asked), parseFormBody(request));
    if (answers.length === 0) return sendForm(reply, link, true);
    if (!(await answerSurvey(engine, reader.me.id, asked, answers))) return sendUsed(reply, reader);
    return send(reply, reader, textsFor(reader).thanks, html`<p>${asked.survey.completion ?? ""}</p>`);
  });
}

function renderQuestion({ id, question, type, guidance }: Question, stars: string): HtmlPart {
  const name = `q${id}`;
  const hint = guidance !== null && html`<p class="hint">${guidance}</p>`;
  if (type === "text")
    return html`<fieldset><legend>${question}</legend>${hint}<textarea name="${name}" rows="4" maxlength="5000" aria-label="${question}"></textarea></fieldset>`;
  const choices = mostStars.map((count) => {
    const label = fillPlaceholders(stars, { count: String(count) });
    return html`<label class="star" title="${label}"><input type="radio" name="${name}" value="${String(count)}" aria-label="${label}"><span aria-hidden="true">${String(count)} ★</span></label>`;
  });
  return html`<fieldset><legend>${question}</legend>${hint}<div class="stars">${choices}</div></fieldset>`;
}
