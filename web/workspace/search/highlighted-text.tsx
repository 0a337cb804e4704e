import { Fragment } from "react";

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => characters[name] ?? "");

/** A highlighted text of the search: matches are inside <em>, everything else is escaped. */
export function HighlightedText({ html }: { html: string }) {
  return html.split(/<em>|<\/em>/).map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? (
      <mark key={key}>{unescapeHtml(part)}</mark>
    ) : (
      <Fragment key={key}>{unescapeHtml(part)}</Fragment>
    );
  });
}
