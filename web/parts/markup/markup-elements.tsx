import { createElement, type MouseEvent, type ReactNode } from "react";
import {
  type Block,
  type Inline,
  type Item,
  isRelative,
  type List,
  parseBlocks,
  parseInline,
  safeAddress,
  safeImageAddress,
} from "../../../markup/index.ts";

// The markup of text fields as React elements. No HTML is generated, so nothing has to be sanitized.

export type MarkupOptions = {
  /** the address of an inline attachment by its key; null: the text has no such attachment */
  image?: (key: string) => string | null;
  /** the link to a person or record in the current account */
  link: (type: string, id: number) => RecordLink | null;
};
/** `onClick`: replaces the page load on a plain click */
export type RecordLink = { href: string; label: string; onClick?: (event: MouseEvent) => void };

const tags = { bold: "strong", italic: "em", underline: "u", strike: "s", color: "span", background: "span" } as const;

function renderLink(address: string, key: number, inside: ReactNode): ReactNode {
  const safe = safeAddress(address);
  if (safe === null) return <span key={key}>{inside}</span>;
  return (
    <a key={key} href={safe} rel="noopener noreferrer nofollow" target={isRelative(safe) ? undefined : "_blank"}>
      {inside}
    </a>
  );
}

/** Opening and closing marks always nest, so one pass with a stack suffices. */
function renderInline(text: string, options: MarkupOptions): ReactNode[] {
  const whole: ReactNode[] = [];
  const stack: ReactNode[][] = [];
  const top = () => stack.at(-1) ?? whole;
  for (const [key, piece] of parseInline(text).entries()) {
    if (piece.is === "open") stack.push([]);
    else if (piece.is === "close") {
      const inside = stack.pop() ?? [];
      top().push(renderMark(piece, key, inside));
    } else top().push(renderPiece(piece, key, options));
  }
  return [whole, ...stack].flat();
}

function renderMark({ mark, value }: Inline & { is: "close" }, key: number, inside: ReactNode[]): ReactNode {
  if (mark === "link") return renderLink(value, key, inside);
  if (mark === "color" || mark === "background") {
    const style = mark === "color" ? { color: value } : { backgroundColor: value };
    return (
      <span key={key} style={style}>
        {inside}
      </span>
    );
  }
  return createElement(tags[mark], { key }, ...inside);
}

function renderPiece(piece: Exclude<Inline, { is: "open" | "close" }>, key: number, options: MarkupOptions): ReactNode {
  switch (piece.is) {
    case "text":
      return piece.text;
    case "break":
      return <br key={key} />;
    case "code":
      return <code key={key}>{piece.text}</code>;
    case "image": {
      const source = options.image && isRelative(piece.address) ? options.image(piece.address) : piece.address;
      const safe = source === null ? null : safeImageAddress(source);
      if (safe === null) return piece.alt || (piece.address.split("/").at(-1) ?? piece.address);
      return <img key={key} src={safe} alt={piece.alt} loading="lazy" />;
    }
    case "mention":
      return renderReference(options.link("person", piece.id), `@${piece.name}`, key, "mention");
    case "record": {
      const target = options.link(piece.type, piece.id);
      return target === null ? piece.source : renderReference(target, target.label, key);
    }
  }
}

function renderReference(target: RecordLink | null, label: string, key: number, className?: string): ReactNode {
  if (target === null) return label;
  return (
    <a key={key} href={target.href} onClick={target.onClick} className={className}>
      {label}
    </a>
  );
}

function renderList(list: List, key: number, options: MarkupOptions): ReactNode {
  const items = list.items.map(({ text, lists }: Item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tree of a text never changes its order
    <li key={at}>
      {renderInline(text, options)}
      {lists.map((inner, place) => renderList(inner, place, options))}
    </li>
  ));
  return list.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
}

function renderBlock(block: Block, key: number, options: MarkupOptions): ReactNode {
  switch (block.is) {
    case "paragraph":
      return <p key={key}>{renderInline(block.text, options)}</p>;
    case "heading":
      // Headings in a text are below those of its page: its first level is the page's third.
      return createElement(`h${Math.min(6, block.level + 2)}`, { key }, ...renderInline(block.text, options));
    case "rule":
      return <hr key={key} />;
    case "code":
      return (
        <pre key={key}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{renderBlocks(block.blocks, options)}</blockquote>;
    case "list":
      return renderList(block, key, options);
    case "table":
      return (
        <table key={key}>
          <tbody>
            {block.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tree of a text never changes its order
              <tr key={at}>{row.map((cell, place) => renderCell(cell, place, options))}</tr>
            ))}
          </tbody>
        </table>
      );
  }
}

function renderCell({ header, blocks }: { header: boolean; blocks: Block[] }, key: number, options: MarkupOptions) {
  const [only] = blocks;
  const inside =
    blocks.length === 1 && only?.is === "paragraph" ? renderInline(only.text, options) : renderBlocks(blocks, options);
  return header ? <th key={key}>{inside}</th> : <td key={key}>{inside}</td>;
}

const renderBlocks = (blocks: readonly Block[], options: MarkupOptions): ReactNode[] =>
  blocks.map((block, key) => renderBlock(block, key, options));

export const renderMarkup = (text: string, options: MarkupOptions): ReactNode[] =>
  renderBlocks(parseBlocks(text), options);
