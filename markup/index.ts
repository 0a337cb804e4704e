// The one reader of the markup of text fields (CV24): the stored value is the markup as sent. The server renders the
// tree as HTML for mails, the web interface as React elements.
// Own code instead of markdown-it: the dialect reads `__x__`, `+x+` and `~x~` differently, has tags of its own and
// none of Markdown's escapes, entities, references and autolinks, so nearly every rule of the library would be off or
// replaced, and 60,000 `[` take it a quarter of a second.

import { parseBlocks } from "./blocks.ts";
import { parseInline } from "./inline.ts";
import { blocksToPlain } from "./plain.ts";
import type { Block, List } from "./tree.ts";

export { isRelative, safeAddress, safeImageAddress } from "./address.ts";
export { parseBlocks } from "./blocks.ts";
export { parseInline } from "./inline.ts";
export type { Block, Cell, Inline, Item, List, Mark } from "./tree.ts";

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
