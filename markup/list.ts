// Parses numbered and bulleted lists in one pass over the lines, with the open lists on a stack.

import { type Item, type List, maxDepth } from "./tree.ts";

type Level = { list: List; indent: number };
type Entry = { indent: number; ordered: boolean; text: string };

const itemLine = /^([ \t]*)(?:\*|\d{1,9}\.)(?:[ \t]+(.*))?$/;

/** `*` could also begin `**bold**`, so a space must follow the marker. */
export function startsItem(line: string): boolean {
  return readEntry(line) !== null;
}

export function parseList(lines: string[], at: number): { block: List; next: number } | null {
  const first = readEntry(lines[at] ?? "");
  if (!first) return null;
  const levels: Level[] = [];
  const block = openLevel(levels, first);
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? "";
    const entry = readEntry(line);
    if (entry) {
      if (!placeEntry(levels, entry)) break;
      next += 1;
    } else if (line.trim() === "") {
      const after = skipBlank(lines, next);
      // Blank lines between items do not end the list, or its numbers would start again at 1.
      if (!readEntry(lines[after] ?? "")) break;
      next = after;
    } else if (/^(?: {2}|\t)/.test(line)) {
      const item = lastItem(levels.at(-1));
      if (item) item.text += `\n${line.trim()}`;
      next += 1;
    } else break;
  }
  return { block, next };
}

/** False: the entry belongs to a new list of the other kind at the outermost level. */
function placeEntry(levels: Level[], entry: Entry): boolean {
  while (levels.length > 1 && entry.indent < (levels.at(-1)?.indent ?? 0)) levels.pop();
  const parent = levels.at(-1);
  if (
    parent &&
    lastItem(parent) &&
    entry.indent >= parent.indent + step(parent.list, entry) &&
    levels.length < maxDepth
  ) {
    openLevel(levels, entry);
  } else if (parent && parent.list.ordered !== entry.ordered) {
    if (levels.length === 1) return false;
    levels.pop();
    openLevel(levels, entry);
  }
  levels.at(-1)?.list.items.push({ text: entry.text, lists: [] });
  return true;
}

/** Numbered items nest by 3 spaces, bulleted ones by 2; where the kinds mix, 2 are enough. */
function step(list: List, entry: Entry): number {
  return list.ordered && entry.ordered ? 3 : 2;
}

/** Continues the list that ended last at this place if it is of the same kind, because indentation is often inexact. */
function openLevel(levels: Level[], entry: Entry): List {
  const parent = lastItem(levels.at(-1));
  const previous = parent?.lists.at(-1);
  const list: List =
    previous && previous.ordered === entry.ordered ? previous : { is: "list", ordered: entry.ordered, items: [] };
  if (parent && list !== previous) parent.lists.push(list);
  levels.push({ list, indent: entry.indent });
  return list;
}

function lastItem(level: Level | undefined): Item | undefined {
  return level?.list.items.at(-1);
}

function readEntry(line: string): Entry | null {
  const found = itemLine.exec(line);
  if (!found) return null;
  const indent = (found[1] ?? "").replaceAll("\t", "    ").length;
  return { indent, ordered: line.charAt(found[1]?.length ?? 0) !== "*", text: (found[2] ?? "").trim() };
}

function skipBlank(lines: string[], at: number): number {
  let next = at;
  while (next < lines.length && (lines[next] ?? "").trim() === "") next += 1;
  return next;
}
