import { getMailTexts, type MailLanguage, pickMailLanguage, type Wording } from "../../records/notifications/index.ts";
import { escapeHtml, renderMarkup, toPlainText } from "../base/markup/index.ts";
import { fillPlaceholders } from "./format-values.ts";
import type { MailRecipient } from "./mail-recipients.ts";

// The mail itself: a subject, plain text, and the same as HTML. All that people wrote is escaped; what notes say goes
// through the renderer of all texts.

export type MessageContent = {
  /** what happened, in the order of weight */
  notifications: readonly { wording: Wording; values: Readonly<Record<string, string>> }[];
  /** "Request 123"; null: about no record that can be opened */
  record: string | null;
  /** what the record is called */
  name: string;
  /** notes, as they were written */
  texts: readonly string[];
  /** mails that come with this one, as plain text */
  plain?: readonly string[];
  link: string | null;
  /** a reply becomes a note */
  takesAnswers?: boolean;
  account: string;
  unsubscribe: string;
};

/** A record with thousands of watchers must not make gigabytes of mails: the rest of a long note is found there. */
const maxTextLength = 10_000;
const maxSentenceLength = 2000;

export type RenderedMessage = { subject: string; body: string; html: string };

const toOneLine = (text: string, most: number): string => {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return [...line].length <= most ? line : `${[...line].slice(0, most - 1).join("")}…`;
};

export function renderMessage({ me }: MailRecipient, content: MessageContent): RenderedMessage {
  const words = getMailTexts(me.locale);
  const { notifications: notices, record } = content;
  const texts = content.texts.map(truncateText);
  const name = toOneLine(content.name, 120);
  const [first] = notices;
  const title = first === undefined ? "" : fillPlaceholders(first.wording.title, first.values);
  const sentences = [
    ...new Set(
      notices.map(({ wording, values }) => toOneLine(fillPlaceholders(wording.text, values), maxSentenceLength)),
    ),
  ];
  const alone = title.charAt(0).toUpperCase() + title.slice(1);
  const subject = toOneLine([record === null ? alone : `${record}: ${title}`, name].filter(Boolean).join(" – "), 250);
  const foot = buildFooter(words, content);
  const open = record === null ? null : fillPlaceholders(words.open, { record });
  return {
    subject,
    body: renderText({ ...content, texts, name, sentences, open, foot }),
    html: renderHtml(
      { ...content, texts, name, sentences, open, foot },
      pickMailLanguage(me.locale),
      words.unsubscribe,
    ),
  };
}

const truncateText = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()} …`;

/** The same note goes to many. */
const renderedNotes = new Map<string, { plain: string; html: string }>();
function renderNote(text: string): { plain: string; html: string } {
  const known = renderedNotes.get(text) ?? {
    plain: toPlainText(text),
    html: renderMarkup(text, { withoutImages: true }),
  };
  renderedNotes.delete(text);
  renderedNotes.set(text, known);
  for (const oldest of renderedNotes.keys()) if (renderedNotes.size > 20) renderedNotes.delete(oldest);
  return known;
}

type MessageParts = MessageContent & {
  name: string;
  sentences: readonly string[];
  open: string | null;
  foot: readonly string[];
};

const buildFooter = (words: MailLanguage, { account, takesAnswers }: MessageContent): string[] => [
  ...(takesAnswers ? [words.answer] : []),
  toOneLine(fillPlaceholders(words.why, { account }), maxSentenceLength),
];

/** The text without what stands below every mail: this much of it goes into a digest. */
export const footerSeparator = "\n-- \n";

function renderText({ name, sentences, texts, plain = [], link, open, foot, unsubscribe }: MessageParts): string {
  const parts = [
    sentences.join("\n"),
    name,
    ...texts.map((text) => indentText(renderNote(text).plain)),
    ...plain.map((text) => `${"=".repeat(40)}\n${text}`),
    ...(link === null ? [] : [`${open}: ${link}`]),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n${footerSeparator}${foot.join("\n")}\n${unsubscribe}\n`;
}

const indentText = (text: string): string => text.replace(/^/gm, "    ").trimEnd();

function renderHtml(
  { name, sentences, texts, plain = [], link, open, foot, unsubscribe }: MessageParts,
  language: string,
  leave: string,
): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const anchor = (address: string, label: string) => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
  const body = [
    ...sentences.map(paragraph),
    ...(name === "" ? [] : [`<p><strong>${escapeHtml(name)}</strong></p>`]),
    ...texts.map(
      (text) =>
        `<blockquote style="margin:1em 0;padding:0 0 0 1em;border-left:3px solid #c8d0d8">${renderNote(text).html}</blockquote>`,
    ),
    ...plain.map((text) => `<hr><div style="white-space:pre-wrap">${escapeHtml(text)}</div>`),
    ...(link === null ? [] : [`<p>${anchor(link, open ?? link)}</p>`]),
    `<hr style="border:0;border-top:1px solid #c8d0d8">`,
    `<p style="color:#5a6672;font-size:85%">${foot.map(escapeHtml).join("<br>")}<br>${anchor(unsubscribe, leave)}</p>`,
  ];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head>
<body style="font-family:system-ui,sans-serif;line-height:1.45;max-width:42em">
${body.join("\n")}
</body></html>
`;
}
