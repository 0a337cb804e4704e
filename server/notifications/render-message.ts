import { getMailTexts, type MailLanguage, pickMailLanguage, type Wording } from "../../records/notifications/index.ts";
import { escapeHtml, renderMarkup, toPlainText } from "../base/markup/index.ts";
import type { DecisionLinks } from "./approval-links.ts";
import { type FigureTable, renderTablesAsHtml, renderTablesAsText } from "./figure-tables.ts";
import { fillPlaceholders } from "./format-values.ts";
import type { MailRecipient } from "./mail-recipients.ts";

// Renders the subject, the plain text and the HTML of a mail. All user input is escaped; notes go through the markup
// renderer.

export type MessageContent = {
  /** in the order of importance */
  notifications: readonly { wording: Wording; values: Readonly<Record<string, string>> }[];
  /** "Request 123"; null: the mail links to no record */
  record: string | null;
  /** the name or subject of the record */
  name: string;
  /** notes in markup */
  texts: readonly string[];
  /** the emails of a digest, as plain text */
  plain?: readonly string[];
  /** the figures of a report, or what an approval is about */
  tables?: readonly FigureTable[];
  link: string | null;
  /** where the recipient approves or rejects */
  decisions?: DecisionLinks | null;
  /** where the recipient says how a service is */
  survey?: { service: string; address: string } | null;
  /** a reply becomes a note */
  takesAnswers?: boolean;
  account: string;
  unsubscribe: string;
};

/** A long note on a record with thousands of watchers must not create gigabytes of emails. */
const maxTextLength = 10_000;
const maxSentenceLength = 2000;

export type RenderedMessage = { subject: string; body: string; html: string };

const toOneLine = (text: string, maxLength: number): string => {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return [...line].length <= maxLength ? line : `${[...line].slice(0, maxLength - 1).join("")}…`;
};

export function renderMessage({ me }: MailRecipient, content: MessageContent): RenderedMessage {
  const words = getMailTexts(me.locale);
  const { notifications, record } = content;
  const texts = content.texts.map(truncateText);
  const name = toOneLine(content.name, 120);
  const [first] = notifications;
  const title = first === undefined ? "" : fillPlaceholders(first.wording.title, first.values);
  const sentences = [
    ...new Set(
      notifications.map(({ wording, values }) => toOneLine(fillPlaceholders(wording.text, values), maxSentenceLength)),
    ),
  ];
  const alone = title.charAt(0).toUpperCase() + title.slice(1);
  const subject = toOneLine([record === null ? alone : `${record}: ${title}`, name].filter(Boolean).join(" – "), 250);
  const foot = buildFooter(words, content);
  const open = record === null ? null : fillPlaceholders(words.open, { record });
  const { approve, reject } = words.approvalPage;
  const choices = [
    ...(content.decisions == null
      ? []
      : [
          { label: approve, address: content.decisions.approved },
          { label: reject, address: content.decisions.rejected },
        ]),
    ...(content.survey == null
      ? []
      : [
          {
            label: fillPlaceholders(words.surveyPage.ask, { service: toOneLine(content.survey.service, 120) }),
            address: content.survey.address,
          },
        ]),
  ];
  return {
    subject,
    body: renderText({ ...content, texts, name, sentences, open, choices, foot }),
    html: renderHtml(
      { ...content, texts, name, sentences, open, choices, foot },
      pickMailLanguage(me.locale),
      words.unsubscribe,
    ),
  };
}

const truncateText = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()} …`;

/** Caches notes, because the same note usually goes to many recipients. */
const renderedNotes = new Map<string, { plain: string; html: string }>();
function renderNote(text: string): { plain: string; html: string } {
  const rendered = renderedNotes.get(text) ?? {
    plain: toPlainText(text),
    html: renderMarkup(text, { withoutImages: true }),
  };
  renderedNotes.delete(text);
  renderedNotes.set(text, rendered);
  for (const oldest of renderedNotes.keys()) if (renderedNotes.size > 20) renderedNotes.delete(oldest);
  return rendered;
}

type MessageParts = MessageContent & {
  name: string;
  sentences: readonly string[];
  open: string | null;
  choices: readonly { label: string; address: string }[];
  foot: readonly string[];
};

const buildFooter = (words: MailLanguage, { account, takesAnswers }: MessageContent): string[] => [
  ...(takesAnswers ? [words.answer] : []),
  toOneLine(fillPlaceholders(words.why, { account }), maxSentenceLength),
];

/** A digest contains the text above this separator. */
export const footerSeparator = "\n-- \n";

function renderText({
  name,
  sentences,
  texts,
  plain = [],
  tables = [],
  link,
  open,
  choices,
  foot,
  unsubscribe,
}: MessageParts): string {
  const parts = [
    sentences.join("\n"),
    name,
    ...renderTablesAsText(tables),
    ...texts.map((text) => indentText(renderNote(text).plain)),
    ...plain.map((text) => `${"=".repeat(40)}\n${text}`),
    ...choices.map(({ label, address }) => `${label}: ${address}`),
    ...(link === null ? [] : [`${open}: ${link}`]),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n${footerSeparator}${foot.join("\n")}\n${unsubscribe}\n`;
}

const indentText = (text: string): string => text.replace(/^/gm, "    ").trimEnd();

function renderHtml(
  { name, sentences, texts, plain = [], tables = [], link, open, choices, foot, unsubscribe }: MessageParts,
  language: string,
  unsubscribeLabel: string,
): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const anchor = (address: string, label: string) => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
  const body = [
    ...sentences.map(paragraph),
    ...(name === "" ? [] : [`<p><strong>${escapeHtml(name)}</strong></p>`]),
    ...renderTablesAsHtml(tables),
    ...texts.map(
      (text) =>
        `<blockquote style="margin:1em 0;padding:0 0 0 1em;border-left:3px solid #c8d0d8">${renderNote(text).html}</blockquote>`,
    ),
    ...plain.map((text) => `<hr><div style="white-space:pre-wrap">${escapeHtml(text)}</div>`),
    ...(choices.length === 0
      ? []
      : [`<p>${choices.map(({ label, address }) => anchor(address, label)).join(" &nbsp; ")}</p>`]),
    ...(link === null ? [] : [`<p>${anchor(link, open ?? link)}</p>`]),
    `<hr style="border:0;border-top:1px solid #c8d0d8">`,
    `<p style="color:#5a6672;font-size:85%">${foot.map(escapeHtml).join("<br>")}<br>${anchor(unsubscribe, unsubscribeLabel)}</p>`,
  ];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head>
<body style="font-family:system-ui,sans-serif;line-height:1.45;max-width:42em">
${body.join("\n")}
</body></html>
`;
}
