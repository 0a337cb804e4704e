// Renders the tree as plain text, for mails and previews; marks are kept where plain text can express them.

import { parseInline } from "./inline.ts";
import type { Block, Inline, List } from "./tree.ts";

export function blocksToPlain(blocks: Block[]): string {
  return blocks.map(blockToPlain).join("\n\n");
}

function blockToPlain(block: Block): string {
  switch (block.is) {
    case "paragraph":
    case "heading":
      return inlineToPlain(block.text);
    case "rule":
      return "---";
    case "code":
      return block.text;
    case "quote":
      return indentLines(blocksToPlain(block.blocks), "> ");
    case "list":
      return listToPlain(block);
    case "table":
      return block.rows
        .map((row) => row.map((cell) => blocksToPlain(cell.blocks).replace(/\s*\n\s*/g, " ")).join(" | "))
        .join("\n");
  }
}

function listToPlain(list: List): string {
  return list.items
    .map((item, index) => {
      const marker = list.ordered ? `${index + 1}. ` : "* ";
      const inner = [inlineToPlain(item.text), ...item.lists.map(listToPlain)].join("\n");
      return marker + indentLines(inner, " ".repeat(marker.length)).trimStart();
    })
    .join("\n");
}

function inlineToPlain(text: string): string {
  const words: string[] = [];
  let linkFrom = 0;
  for (const piece of parseInline(text)) {
    if (piece.is === "open" && piece.mark === "link") linkFrom = words.length;
    if (piece.is === "close" && piece.mark === "link") {
      words.push(appendAddress(words.slice(linkFrom).join(""), piece.value));
    }
    words.push(pieceToPlain(piece));
  }
  return words.join("");
}

function pieceToPlain(piece: Inline): string {
  switch (piece.is) {
    case "text":
    case "code":
      return piece.text;
    case "break":
      return "\n";
    case "image":
      return piece.alt;
    case "mention":
      return `@${piece.name}`;
    case "record":
      return `${piece.type}#${piece.id}`;
    default:
      return "";
  }
}

/** The address of a link is added, unless it is its own text. */
function appendAddress(label: string, address: string): string {
  const isSaid = address === label || address === `mailto:${label}` || address === `tel:${label}`;
  return isSaid ? "" : ` (${address})`;
}

function indentLines(text: string, by: string): string {
  return text.replace(/^/gm, by);
}
