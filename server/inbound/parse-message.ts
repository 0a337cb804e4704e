import PostalMime, { type Attachment, addressParser, type Email, type Mailbox } from "postal-mime";
import { extractReply, removeQuoteMark } from "./extract-reply.ts";
import { htmlToMarkup } from "./html-to-markup.ts";
import { quoteMark } from "./markup-writer.ts";
import { type InboundMessage, isAddress, type MailFile, maxFiles } from "./message.ts";

// Parses the bytes of a mail. Runs in a process of its own that read-message.ts may end.

const maxHeaderBytes = 524_288; // the sum over all parts
const maxPartDepth = 50;
const maxFileBytes = 20_971_520;
const maxHeaders = 1000;
const maxHeaderLength = 10_000;
/** characters; a text too long for a note is attached as a file */
const maxTextLength = 1_048_576;

// Control characters are invisible, and PostgreSQL refuses U+0000.
const stripControlCharacters = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g, "");
const toOneLine = (text: string): string => stripControlCharacters(text).replace(/\s+/g, " ").trim();

/** The writer of a mail cannot know `nonce`, so the text cannot imitate a placeholder. */
export async function parseMessage(raw: Uint8Array<ArrayBuffer>, nonce: string): Promise<InboundMessage> {
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: maxPartDepth,
    maxHeadersSize: maxHeaderBytes,
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  });
  const headers = email.headers
    .slice(0, maxHeaders)
    .map(
      ({ key, value }) =>
        [stripControlCharacters(key), stripControlCharacters(value.slice(0, maxHeaderLength))] as const,
    );
  const { files, omittedFiles, findPlaceholder } = collectFiles(email.attachments, nonce);
  const used = new Set<string>();
  const isHtml = email.html !== undefined && email.html.trim() !== "";
  const body = isHtml
    ? stripControlCharacters(
        htmlToMarkup(email.html ?? "", (contentId) => {
          const placeholder = findPlaceholder(contentId);
          if (placeholder !== null) used.add(placeholder);
          return placeholder;
        }),
      )
    : toPlainText((email.text ?? "").slice(0, maxTextLength));
  const plainText = email.text === undefined ? null : toPlainText(email.text.slice(0, maxTextLength));
  return {
    headers,
    from: parseSender(headers),
    to: formatAddresses(email.to),
    cc: formatAddresses(email.cc),
    subject: toOneLine(email.subject ?? "").slice(0, 1000),
    messageId: parseMessageIds(email.messageId)[0] ?? null,
    inReplyTo: [
      ...new Set([...parseMessageIds(email.inReplyTo), ...parseMessageIds(email.references).reverse()]),
    ].slice(0, 100),
    text: removeQuoteMark(body),
    reply: extractReply(body),
    plainText,
    isHtml,
    // An inline image that the text does not show is an ordinary file.
    files: files.map((file) =>
      file.placeholder !== null && !used.has(file.placeholder) ? { ...file, placeholder: null } : file,
    ),
    omittedFiles,
  };
}

/** Trims the end of every line, except "-- ", which starts a signature. */
const toPlainText = (text: string): string =>
  stripControlCharacters(text.replace(/\r\n?/g, "\n").replaceAll(quoteMark, ""))
    .split("\n")
    .map((line) => (line === "-- " ? line : line.trimEnd()))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** Null with more than one From: a mail server might have checked another one than we use. */
function parseSender(headers: readonly (readonly [string, string])[]): InboundMessage["from"] {
  const lines = headers.filter(([key]) => key === "from");
  const [only, ...others] = lines.length === 1 ? addressParser(lines[0]?.[1] ?? "", { flatten: true }) : [];
  const address = toOneLine((only as Mailbox | undefined)?.address ?? "");
  if (others.length > 0 || !isAddress(address)) return null;
  return { name: toOneLine(only?.name ?? "").slice(0, 128), address };
}

const formatAddresses = (list: Email["to"]): string =>
  (list ?? [])
    .slice(0, 100)
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address }) => toOneLine(name ? `${name} <${address}>` : (address ?? "")))
    .join(", ")
    .slice(0, 2000);

const parseMessageIds = (text: string | undefined): string[] =>
  [...stripControlCharacters(text ?? "").matchAll(/<[^<>\s]{1,900}>/g)].slice(0, 200).map(([id]) => id);

function collectFiles(attachments: readonly Attachment[], nonce: string) {
  const byContentId = new Map<string, string>();
  const files: MailFile[] = [];
  let omittedFiles = 0;
  for (const attachment of attachments) {
    const content = toBytes(attachment.content);
    if (files.length >= maxFiles || content.length > maxFileBytes) {
      omittedFiles++;
      continue;
    }
    const contentId = attachment.contentId?.replace(/^\s*<|>\s*$/g, "");
    const isImage = contentId !== undefined && /^image\//.test(attachment.mimeType);
    const placeholder = isImage ? `inline-${nonce}-${files.length}` : null;
    if (placeholder !== null && contentId !== undefined) byContentId.set(contentId, placeholder);
    files.push({ name: getFileName(attachment), content, placeholder });
  }
  return { files, omittedFiles, findPlaceholder: (contentId: string) => byContentId.get(contentId) ?? null };
}

const toBytes = (content: Attachment["content"]): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer);

// biome-ignore format: a table keeps its columns
const extensions: Record<string, string> = {
  "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
  "message/rfc822": "eml", "text/calendar": "ics", "text/plain": "txt", "text/html": "html", "text/csv": "csv",
  "application/pdf": "pdf", "application/zip": "zip",
};

function getFileName({ filename, mimeType }: Attachment): string {
  const given = toOneLine(filename ?? "");
  if (given !== "") return given;
  const kind = mimeType.startsWith("image/") ? "image" : mimeType === "message/rfc822" ? "message" : "attachment";
  const extension = extensions[mimeType];
  return extension === undefined ? kind : `${kind}.${extension}`;
}
