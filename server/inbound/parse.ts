import PostalMime, { type Attachment, addressParser, type Email, type Mailbox } from "postal-mime";
import { htmlToMarkup } from "./html-to-markup.ts";
import { quoteMark } from "./markup-writer.ts";
import { isAddress, type MailFile, type Message, mostFiles } from "./message.ts";
import { replyOf, withoutMark } from "./reply.ts";

// From the bytes of a mail to what we keep of it. Runs in a thread of its own (read-message.ts), which may be ended.

const largestHeaders = 524_288; // of all parts together
const deepestPart = 50;
const largestFile = 20_971_520;
const mostHeaders = 1000;
const longestHeader = 10_000;
/** characters; a note holds fewer, the rest goes along as a file */
const longestText = 1_048_576;

// The last resort for whoever sends control characters: they draw nothing, and PostgreSQL refuses a zero.
const clean = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g, "");
const oneLine = (text: string): string => clean(text).replace(/\s+/g, " ").trim();

/** `nonce`: nobody who writes a mail can know it, so nothing in the text looks like a place of ours. */
export async function parseMessage(raw: Uint8Array<ArrayBuffer>, nonce: string): Promise<Message> {
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: deepestPart,
    maxHeadersSize: largestHeaders,
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  });
  const headers = email.headers
    .slice(0, mostHeaders)
    .map(({ key, value }) => [clean(key), clean(value.slice(0, longestHeader))] as const);
  const { files, filesLeftOut, placeOf } = filesOf(email.attachments, nonce);
  const used = new Set<string>();
  const isHtml = email.html !== undefined && email.html.trim() !== "";
  const body = isHtml
    ? clean(
        htmlToMarkup(email.html ?? "", (contentId) => {
          const place = placeOf(contentId);
          if (place !== null) used.add(place);
          return place;
        }),
      )
    : asText((email.text ?? "").slice(0, longestText));
  const plain = email.text === undefined ? null : asText(email.text.slice(0, longestText));
  return {
    headers,
    from: senderOf(headers),
    to: addressees(email.to),
    cc: addressees(email.cc),
    subject: oneLine(email.subject ?? "").slice(0, 1000),
    messageId: messageIds(email.messageId)[0] ?? null,
    answers: [...new Set([...messageIds(email.inReplyTo), ...messageIds(email.references).reverse()])].slice(0, 100),
    text: withoutMark(body),
    reply: replyOf(body),
    plain,
    isHtml,
    // An image that the text does not show is a file like others.
    files: files.map((file) => (file.place !== null && !used.has(file.place) ? { ...file, place: null } : file)),
    filesLeftOut,
  };
}

/** Blanks at the end of a line mean nothing, but for those after the two dashes above a signature. */
const asText = (text: string): string =>
  clean(text.replace(/\r\n?/g, "\n").replaceAll(quoteMark, ""))
    .split("\n")
    .map((line) => (line === "-- " ? line : line.trimEnd()))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** A second From could be what a mail server checked while we believe the first. */
function senderOf(headers: readonly (readonly [string, string])[]): Message["from"] {
  const lines = headers.filter(([key]) => key === "from");
  const [only, ...others] = lines.length === 1 ? addressParser(lines[0]?.[1] ?? "", { flatten: true }) : [];
  const address = oneLine((only as Mailbox | undefined)?.address ?? "");
  if (others.length > 0 || !isAddress(address)) return null;
  return { name: oneLine(only?.name ?? "").slice(0, 128), address };
}

const addressees = (list: Email["to"]): string =>
  (list ?? [])
    .slice(0, 100)
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => oneLine(name ? `${name} <${address}>` : (address ?? "")))
    .join(", ")
    .slice(0, 2000);

const messageIds = (text: string | undefined): string[] =>
  [...clean(text ?? "").matchAll(/<[^<>\s]{1,900}>/g)].slice(0, 200).map(([id]) => id);

function filesOf(attachments: readonly Attachment[], nonce: string) {
  const byContentId = new Map<string, string>();
  const files: MailFile[] = [];
  let filesLeftOut = 0;
  for (const attachment of attachments) {
    const content = bytesOf(attachment.content);
    if (files.length >= mostFiles || content.length > largestFile) {
      filesLeftOut++;
      continue;
    }
    const contentId = attachment.contentId?.replace(/^\s*<|>\s*$/g, "");
    const isImage = contentId !== undefined && /^image\//.test(attachment.mimeType);
    const place = isImage ? `inline-${nonce}-${files.length}` : null;
    if (place !== null && contentId !== undefined) byContentId.set(contentId, place);
    files.push({ name: nameOf(attachment), content, place });
  }
  return { files, filesLeftOut, placeOf: (contentId: string) => byContentId.get(contentId) ?? null };
}

const bytesOf = (content: Attachment["content"]): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer);

// biome-ignore format: a table keeps its columns
const extensions: Record<string, string> = {
  "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
  "message/rfc822": "eml", "text/calendar": "ics", "text/plain": "txt", "text/html": "html", "text/csv": "csv",
  "application/pdf": "pdf", "application/zip": "zip",
};

function nameOf({ filename, mimeType }: Attachment): string {
  const given = oneLine(filename ?? "");
  if (given !== "") return given;
  const kind = mimeType.startsWith("image/") ? "image" : mimeType === "message/rfc822" ? "message" : "attachment";
  const extension = extensions[mimeType];
  return extension === undefined ? kind : `${kind}.${extension}`;
}
