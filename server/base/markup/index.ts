// The server's side of text fields: HTML for emails and pages, made from the tree that markup/ parses.

import { parseBlocks } from "../../../markup/index.ts";
import { blocksToHtml, escapeHtml, type MarkupOptions } from "./html.ts";

export { findMentions, safeAddress, toPlainText } from "../../../markup/index.ts";
export type { MarkupOptions };
export { escapeHtml };

/** HTML that is safe to put into a page. */
export function renderMarkup(text: string, options: MarkupOptions = {}): string {
  return blocksToHtml(parseBlocks(text), options);
}
