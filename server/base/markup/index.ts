// The only renderer of text fields (CV24): the stored value is the markup as sent, everything shown is rendered here.
// Own code instead of markdown-it: the dialect reads `__x__`, `+x+` and `~x~` differently, has tags of its own and
// none of Markdown's escapes, entities, references and autolinks, so nearly every rule of the library would be off or
// replaced, and 60,000 `[` take it a quarter of a second.

import { parseBlocks } from "./blocks.ts";
import { blocksToHtml, escapeHtml, type MarkupOptions } from "./html.ts";
import { parseInline } from "./inline.ts";
import { blocksToPlain } from "./plain.ts";
import type { Block, List } from "./tree.ts";

export { safeAddress } from "./address.ts";

export type { MarkupOptions };
export { escapeHtml };

/** HTML that is safe to put into a page. */
export function renderMarkup(text: string, options: MarkupOptions = {}): string {
  return blocksToHtml(parseBlocks(text), options);
}

/** The text without markup, for mails and previews. Not HTML: escape it where it becomes HTML. */
export function toPlainText(text: string): string {
  return blocksToPlain(parseBlocks(text));
}

/** The ids of the people that a text mentions, each once. */
export function findMentions(text: string): number[] {
  const found = new Set<number>();
  for (const words of collectText(parseBlocks(text)))
    for (const piece of parseInline(words)) if (piece.is === "mention") found.add(piece.id);
  return [...found];
}

function collectText(blocks: readonly Block[]): string[] {
  const inList = (list: List): string[] => list.items.flatMap(({ text, lists }) => [text, ...lists.flatMap(inList)]);
  return blocks.flatMap((block) => {
    if (block.is === "paragraph" || block.is === "heading") return [block.text];
    if (block.is === "quote") return collectText(block.blocks);
    if (block.is === "list") return inList(block);
    return block.is === "table" ? block.rows.flat().flatMap((cell) => collectText(cell.blocks)) : [];
  });
}
