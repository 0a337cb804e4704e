// Renders the tree as HTML. All tags and attributes that can be output are in this file; everything else is escaped.

import type { Block, Inline, Item, List, Mark } from "../../../markup/index.ts";
import { isRelative, parseInline, safeAddress, safeImageAddress } from "../../../markup/index.ts";

export type MarkupOptions = {
  /** The address and text of a record link; null: the reader may not see the record. */
  link?: (type: string, id: number) => { href: string; label: string } | null;
  mention?: (id: number, name: string) => { href: string } | null;
  /** The address of an inline attachment by its key; null: the text has no such attachment. */
  image?: (key: string) => string | null;
  /** Replaces images by their alternative text: fetching one from a mail would reveal who reads the mail, and when. */
  withoutImages?: true;
};

// biome-ignore format: a table keeps its columns
const markTags: Record<Mark, [open: (value: string) => string, close: string]> = {
  bold:       [() => "<strong>",                                                       "</strong>"],
  italic:     [() => "<em>",                                                           "</em>"],
  underline:  [() => "<u>",                                                            "</u>"],
  strike:     [() => "<s>",                                                            "</s>"],
  color:      [(value) => `<span style="color:${escapeHtml(value)}">`,                 "</span>"],
  background: [(value) => `<span style="background-color:${escapeHtml(value)}">`,      "</span>"],
  link:       [(value) => anchor(value),                                               "</a>"],
};

export function blocksToHtml(blocks: Block[], options: MarkupOptions): string {
  return blocks.map((block) => blockToHtml(block, options)).join("\n");
}

function blockToHtml(block: Block, options: MarkupOptions): string {
  switch (block.is) {
    case "paragraph":
      return `<p>${inlineToHtml(block.text, options)}</p>`;
    case "heading":
      return `<h${block.level}>${inlineToHtml(block.text, options)}</h${block.level}>`;
    case "rule":
      return "<hr>";
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${blocksToHtml(block.blocks, options)}</blockquote>`;
    case "list":
      return listToHtml(block, options);
    case "table":
      return `<table>${block.rows.map((row) => `<tr>${row.map((cell) => cellToHtml(cell, options)).join("")}</tr>`).join("")}</table>`;
  }
}

function listToHtml(list: List, options: MarkupOptions): string {
  const tag = list.ordered ? "ol" : "ul";
  const item = ({ text, lists }: Item) =>
    `<li>${inlineToHtml(text, options)}${lists.map((inner) => listToHtml(inner, options)).join("")}</li>`;
  return `<${tag}>${list.items.map(item).join("")}</${tag}>`;
}

function cellToHtml({ header, blocks }: { header: boolean; blocks: Block[] }, options: MarkupOptions): string {
  const tag = header ? "th" : "td";
  const [only] = blocks;
  const isPlain = blocks.length === 1 && only?.is === "paragraph";
  return `<${tag}>${isPlain ? inlineToHtml(only.text, options) : blocksToHtml(blocks, options)}</${tag}>`;
}

function inlineToHtml(text: string, options: MarkupOptions): string {
  return parseInline(text)
    .map((piece) => pieceToHtml(piece, options))
    .join("");
}

function pieceToHtml(piece: Inline, options: MarkupOptions): string {
  switch (piece.is) {
    case "text":
      return escapeHtml(piece.text);
    case "break":
      return "<br>";
    case "open":
      return markTags[piece.mark][0](piece.value);
    case "close":
      return markTags[piece.mark][1];
    case "code":
      return `<code>${escapeHtml(piece.text)}</code>`;
    case "image":
      return imageToHtml(piece.alt, piece.address, options);
    case "mention":
      return linkTo(options.mention?.(piece.id, piece.name)?.href, `@${piece.name}`) ?? escapeHtml(`@${piece.name}`);
    case "record": {
      const target = options.link?.(piece.type, piece.id);
      return linkTo(target?.href, target?.label ?? "") ?? escapeHtml(piece.source);
    }
  }
}

function imageToHtml(alt: string, address: string, options: MarkupOptions): string {
  const source = options.image && isRelative(address) ? options.image(address) : address;
  const safe = source === null || options.withoutImages ? null : safeImageAddress(source);
  // Unknown to this text: the words stay, so that the reader sees that something is missing.
  if (!safe) return escapeHtml(alt || (address.split("/").at(-1) ?? address));
  return `<img src="${escapeHtml(safe)}" alt="${escapeHtml(alt)}">`;
}

/** Addresses from callers are checked like those of users: one rule for every href in the output. */
function linkTo(href: string | undefined, label: string): string | null {
  const safe = href === undefined ? null : safeAddress(href);
  return safe && `${anchor(safe)}${escapeHtml(label)}</a>`;
}

function anchor(safe: string): string {
  return `<a href="${escapeHtml(safe)}" rel="noopener noreferrer nofollow">`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
