import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { safeAddress } from "../base/markup/index.ts";
import { MarkupWriter, quoteMark } from "./markup-writer.ts";

// Converts the HTML of a mail to our own markup; no tag survives. Only the tokenizer of htmlparser2 is used: the stack of
// its parser takes half a minute for a hundred thousand nested elements.

/** The placeholder of the inline image with a Content-ID; null: there is no such file. */
export type PlaceholderLookup = (contentId: string) => string | null;

type Attributes = Record<string, string>;
type Mark = "**" | "__" | "~";

const hiddenTags = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "object",
  "svg",
  "math",
  "select",
]);
const markByTag: Record<string, Mark> = { b: "**", strong: "**", i: "__", em: "__", s: "~", strike: "~", del: "~" };
const paragraphTags = new Set(["p", "table", "dl", "form", "fieldset", "figure"]);
const lineTags = new Set([
  "div",
  "tr",
  "section",
  "article",
  "header",
  "footer",
  "address",
  "dt",
  "dd",
  "center",
  "body",
]);
const attributesRead = new Set(["href", "src", "alt", "class", "id", "type", "start"]);
const maxAttributeLength = 4096;

/** Class names and ids that mail programs give to quoted text. */
const quoteClassNames =
  /\b(gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote|zmail_extra|divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|mail-editor-reference-message-container)\b/;

export function htmlToMarkup(html: string, findPlaceholder: PlaceholderLookup): string {
  const converter = new Converter(html, findPlaceholder);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, converter);
  tokenizer.write(html);
  tokenizer.end();
  return converter.writer.text();
}

class Converter implements TokenizerCallbacks {
  readonly writer = new MarkupWriter();
  private readonly html: string;
  private readonly findPlaceholder: PlaceholderLookup;
  private tag = "";
  private attributes: Attributes = {};
  private attribute = "";
  private value = "";
  /** the open element whose content is not shown */
  private hidden = "";
  private cells = 0;

  constructor(html: string, findPlaceholder: PlaceholderLookup) {
    this.html = html;
    this.findPlaceholder = findPlaceholder;
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, Math.min(end, start + 30)).toLowerCase();
    this.attributes = {};
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + 30)).toLowerCase();
    this.value = "";
  }
  onattribdata(start: number, end: number): void {
    if (attributesRead.has(this.attribute) && this.value.length < maxAttributeLength)
      this.value += this.html.slice(start, Math.min(end, start + maxAttributeLength));
  }
  onattribentity(codepoint: number): void {
    if (this.value.length < maxAttributeLength) this.value += String.fromCodePoint(codepoint);
  }
  onattribend(): void {
    if (attributesRead.has(this.attribute)) this.attributes[this.attribute] ??= this.value;
  }
  onopentagend(): void {
    this.open(this.tag, this.attributes);
  }
  onselfclosingtag(): void {
    this.open(this.tag, this.attributes);
    if (this.tag !== "br" && this.tag !== "img" && this.tag !== "hr") this.close(this.tag);
  }
  onclosetag(start: number, end: number): void {
    this.close(this.html.slice(start, Math.min(end, start + 30)).toLowerCase());
  }
  ontext(start: number, end: number): void {
    if (this.hidden === "") this.writer.write(this.html.slice(start, end));
  }
  ontextentity(codepoint: number): void {
    if (this.hidden === "") this.writer.write(String.fromCodePoint(codepoint));
  }
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private open(tag: string, attributes: Attributes): void {
    if (this.hidden !== "") return;
    if (hiddenTags.has(tag)) {
      this.hidden = tag;
      return;
    }
    const { writer } = this;
    const mark = markByTag[tag];
    if (startsQuote(tag, attributes)) writer.line(quoteMark);
    if (mark !== undefined) writer.openMark(mark);
    else if (tag === "br") writer.breakLine();
    else if (tag === "hr") writer.alone("---");
    else if (tag === "a") writer.openLink(toLinkAddress(attributes.href));
    else if (tag === "img") this.image(attributes);
    else if (tag === "li") writer.item();
    else if (tag === "ul" || tag === "ol") writer.openList(tag === "ol");
    else if (tag === "blockquote") writer.openQuote();
    else if (tag === "pre") writer.openCode();
    else if (/^h[1-6]$/.test(tag)) writer.heading(Number(tag[1]));
    else if (tag === "td" || tag === "th") {
      if (this.cells++ > 0) writer.separate();
    } else if (paragraphTags.has(tag)) writer.paragraph();
    else if (lineTags.has(tag)) writer.endLine();
    if (tag === "tr") this.cells = 0;
  }

  private close(tag: string): void {
    if (this.hidden !== "") {
      if (tag === this.hidden) this.hidden = "";
      return;
    }
    const { writer } = this;
    const mark = markByTag[tag];
    if (mark !== undefined) writer.closeMark(mark);
    else if (tag === "a") writer.closeLink();
    else if (tag === "li") writer.endLine();
    else if (tag === "ul" || tag === "ol") writer.closeList();
    else if (tag === "blockquote") writer.closeQuote();
    else if (tag === "pre") writer.closeCode();
    else if (/^h[1-6]$/.test(tag) || paragraphTags.has(tag)) writer.paragraph();
    else if (lineTags.has(tag)) writer.endLine();
  }

  /** Shows files of the mail only: fetching remote images would reveal to their server who reads the note, and when. */
  private image({ src = "", alt = "" }: Attributes): void {
    const cid = /^\s*cid:(.*)$/is.exec(src)?.[1]?.trim();
    const placeholder = cid === undefined ? null : this.findPlaceholder(decodeUri(cid));
    const words = alt
      .replace(/[[\]\s]+/g, " ")
      .trim()
      .slice(0, 200);
    if (placeholder !== null) this.writer.piece(`![${words}](${placeholder})`);
    else if (words !== "") this.writer.write(words);
  }
}

const startsQuote = (tag: string, { class: name = "", id = "", type = "" }: Attributes): boolean =>
  quoteClassNames.test(`${name} ${id}`) || (tag === "blockquote" && type === "cite");

/** Null for addresses that are relative, or unsafe. */
function toLinkAddress(href = ""): string | null {
  if (!/^\s*(https?:\/\/|mailto:|tel:)/i.test(href)) return null;
  const address = safeAddress(href);
  return address === null ? null : address.replaceAll("(", "%28").replaceAll(")", "%29");
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
