// Parses lines into paragraphs, headings, lists, quotes, code and tables. Every line is consumed by exactly one block
// per level, and levels are limited, so the time is linear in the length of the text.

import { parseList, startsItem } from "./list.ts";
import { parseTable } from "./table.ts";
import { type Block, maxDepth } from "./tree.ts";

export function parseBlocks(text: string): Block[] {
  return parseLines(splitLines(text), 0);
}

/** Control characters are invisible and can only hide something; a lone surrogate is no character. */
function splitLines(text: string): string[] {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "")
    .split("\n");
}

function parseLines(lines: string[], depth: number): Block[] {
  const blocks: Block[] = [];
  const fences = findNextFences(lines);
  let at = 0;
  while (at < lines.length) {
    const found =
      blankLine(lines, at) ??
      headingOrRule(lines, at) ??
      codeBlock(lines, at, fences) ??
      (depth < maxDepth ? (quote(lines, at, depth) ?? table(lines, at, depth)) : null) ??
      parseList(lines, at) ??
      paragraph(lines, at, depth);
    if (found.block) blocks.push(found.block);
    at = found.next;
  }
  return blocks;
}

type BlockResult = { block: Block | null; next: number };

function blankLine(lines: string[], at: number): BlockResult | null {
  return isBlank(lines[at]) ? { block: null, next: at + 1 } : null;
}

function headingOrRule(lines: string[], at: number): BlockResult | null {
  const line = lines[at] ?? "";
  if (!standsAlone(lines, at, at + 1)) return null;
  const heading = /^(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (heading) {
    return {
      block: { is: "heading", level: heading[1]?.length ?? 1, text: heading[2]?.trimEnd() ?? "" },
      next: at + 1,
    };
  }
  return line.trimEnd() === "---" ? { block: { is: "rule" }, next: at + 1 } : null;
}

function codeBlock(lines: string[], at: number, fences: Int32Array): BlockResult | null {
  if (!isFence(lines[at])) return null;
  const end = fences[at + 1] ?? -1;
  if (end === -1 || !standsAlone(lines, at, end + 1)) return null;
  return { block: { is: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

function quote(lines: string[], at: number, depth: number): BlockResult | null {
  let next = at;
  while (lines[next]?.startsWith(">")) next += 1;
  if (next === at) return null;
  const inside = lines.slice(at, next).map((line) => line.replace(/^> ?/, ""));
  return { block: { is: "quote", blocks: parseLines(inside, depth + 1) }, next };
}

function table(lines: string[], at: number, depth: number): BlockResult | null {
  const found = parseTable(lines, at);
  if (!found || !standsAlone(lines, at, found.next)) return null;
  const rows = found.rows.map((row) =>
    row.map(({ header, lines }) => ({ header, blocks: parseLines(removeIndent(lines), depth + 1) })),
  );
  return { block: { is: "table", rows }, next: found.next };
}

/** Only lists and quotes may follow a line of text directly; other blocks need a blank line before. */
function paragraph(lines: string[], at: number, depth: number): BlockResult {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && !interrupts(lines[next] ?? "", depth)) next += 1;
  const text = lines.slice(at, next).map((line) => line.trim());
  return { block: { is: "paragraph", text: text.join("\n") }, next };
}

function interrupts(line: string, depth: number): boolean {
  return startsItem(line) || (depth < maxDepth && line.startsWith(">"));
}

/** A blank line, or the edge of the text, quote or cell, on both sides. */
function standsAlone(lines: string[], first: number, next: number): boolean {
  return isBlank(lines[first - 1]) && isBlank(lines[next]);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function isFence(line: string | undefined): boolean {
  return line?.trimEnd() === "```";
}

/** For each line the first fence at or after it, or -1: computed once, so that unclosed fences do not each search. */
function findNextFences(lines: string[]): Int32Array {
  const fences = new Int32Array(lines.length + 2).fill(-1);
  for (let at = lines.length - 1; at >= 0; at -= 1) fences[at] = isFence(lines[at]) ? at : (fences[at + 1] ?? -1);
  return fences;
}

/** Cells are often indented like the tags around them; the first line tells how far. */
function removeIndent(lines: string[]): string[] {
  const indent = /^[ \t]*/.exec(lines.find((line) => !isBlank(line)) ?? "")?.[0] ?? "";
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
}
