// Parses running text: bold, colours, links, mentions. One pass from left to right: an opening mark goes on a stack and
// takes effect only when its closing mark arrives, so each character is read a fixed number of times.

import { safeAddress, safeImageAddress } from "./address.ts";
import { type Inline, type Mark, maxDepth } from "./tree.ts";

// biome-ignore format: a table keeps its columns
const delimiters: Record<string, { length: number; mark: Mark; insideWords: boolean }> = {
  "*": { length: 2, mark: "bold",      insideWords: true },
  "_": { length: 2, mark: "italic",    insideWords: false }, // not in some__file__name
  "+": { length: 1, mark: "underline", insideWords: false }, // not in 1+1+1
  "~": { length: 1, mark: "strike",    insideWords: false },
};

// All of these are sticky and stop at the next character that could start another attempt, or after a fixed number
// of characters: a hostile text cannot make them read the same stretch repeatedly.
const image = /!\[([^[\]\n]*)\]\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/y;
const linkEnd = /\]\([ \t]*([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[ \t]*\)/y;
const mention = /<@(\d{1,15})\|([^<>|\n]{1,255})>/y;
const recordLink = /<([a-z][a-z_]{2,39})#(\d{1,15})>/y;
const colorOpen = /<([cm]) (#[0-9a-f]{6})>/iy;
const colorClose = /<\/([cm])>/iy;

export function parseInline(text: string): Inline[] {
  return new InlineParser(text).parse();
}

class InlineParser {
  readonly text: string;
  at = 0;
  textFrom = 0;
  readonly pieces: Inline[] = [];
  readonly opened: { mark: Mark; piece: number; value: string }[] = [];
  readonly count = { bold: 0, italic: 0, underline: 0, strike: 0, color: 0, background: 0, link: 0 };
  /** `[` below this height of the stack enclose an earlier link; HTML has no nested links. */
  linkFloor = 0;
  /** Lengths of backquote runs without a partner further on, so that they are not searched again. */
  readonly loneBackquotes = new Set<number>();

  constructor(text: string) {
    this.text = text;
  }

  parse(): Inline[] {
    const special = /[*_+~`<[\]!\n]/g;
    for (;;) {
      special.lastIndex = this.at;
      const found = special.exec(this.text);
      if (!found) break;
      this.at = found.index;
      const width = this.take(found[0]);
      // No markup: it stays part of the current text.
      if (width === 0) this.at += 1;
    }
    this.at = this.text.length;
    this.flush();
    return limitNesting(this.pieces);
  }

  /** The number of characters that were parsed as markup; zero for none. */
  take(character: string): number {
    switch (character) {
      case "\n":
        return this.put(1, { is: "break" });
      case "`":
        return this.takeCode();
      case "!":
        return this.takeImage();
      case "[":
        return this.open(1, "link", "");
      case "]":
        return this.takeLinkEnd();
      case "<":
        return this.takeTag();
      default:
        return this.takeDelimiter(character);
    }
  }

  takeDelimiter(character: string): number {
    const run = this.runLength(character);
    const rule = delimiters[character];
    if (!rule || run !== rule.length) return this.skip(run);
    const before = characterBefore(this.text, this.at);
    const after = characterAt(this.text, this.at + run);
    const mayClose = !isBlank(before) && (rule.insideWords || !isWord(after));
    const mayOpen = !isBlank(after) && (rule.insideWords || !isWord(before));
    if (mayClose && this.count[rule.mark] > 0) return this.close(run, rule.mark);
    if (mayOpen) return this.open(run, rule.mark, "");
    return this.skip(run);
  }

  takeCode(): number {
    const length = this.runLength("`");
    if (length > 3 || this.loneBackquotes.has(length)) return this.skip(length);
    for (const run of this.text.slice(this.at + length).matchAll(/`+/g)) {
      if (run[0].length !== length) continue;
      const code = this.text.slice(this.at + length, this.at + length + run.index);
      return this.put(length + run.index + length, { is: "code", text: code });
    }
    this.loneBackquotes.add(length);
    return this.skip(length);
  }

  takeImage(): number {
    const found = this.match(image);
    const address = found?.[2]?.trim() ?? "";
    if (!found || safeImageAddress(address) === null) return 0;
    return this.put(found[0].length, { is: "image", alt: found[1] ?? "", address });
  }

  takeLinkEnd(): number {
    const isEmpty = this.text[this.at - 1] === "["; // a link nobody could see
    if (this.count.link === 0 || isEmpty) return 0;
    const found = this.match(linkEnd);
    const address = found && safeAddress(found[1] ?? "");
    if (!address) return 0;
    const width = this.close(found[0].length, "link", address);
    this.forgetOuterLinks();
    return width;
  }

  takeTag(): number {
    const opening = this.match(colorOpen);
    if (opening?.[1] && opening[2])
      return this.open(opening[0].length, colorMark(opening[1]), opening[2].toLowerCase());

    const closing = this.match(colorClose);
    if (closing?.[1] && this.count[colorMark(closing[1])] > 0) {
      return this.close(closing[0].length, colorMark(closing[1]));
    }

    const person = this.match(mention);
    if (person?.[2]?.trim()) {
      this.forgetOuterLinks();
      const [source, id, name] = person;
      return this.put(source.length, { is: "mention", id: Number(id), name: name.trim(), source });
    }

    const record = this.match(recordLink);
    if (record?.[1]) {
      this.forgetOuterLinks();
      const [source, type, id] = record;
      return this.put(source.length, { is: "record", type, id: Number(id), source });
    }
    return 0;
  }

  open(width: number, mark: Mark, value: string): number {
    this.put(width, { is: "text", text: this.text.slice(this.at, this.at + width) });
    this.opened.push({ mark, piece: this.pieces.length - 1, value });
    this.count[mark] += 1;
    return width;
  }

  /** Closes the nearest open mark of this kind; unclosed marks inside it stay text. */
  close(width: number, mark: Mark, address = ""): number {
    for (;;) {
      const top = this.opened.pop();
      if (!top) return 0;
      if (top.mark !== "link" || this.opened.length >= this.linkFloor) this.count[top.mark] -= 1;
      this.linkFloor = Math.min(this.linkFloor, this.opened.length);
      if (top.mark !== mark) continue;
      const value = address || top.value;
      this.put(width, { is: "close", mark, value });
      this.pieces[top.piece] = { is: "open", mark, value };
      return width;
    }
  }

  forgetOuterLinks(): void {
    this.count.link = 0;
    this.linkFloor = this.opened.length;
  }

  put(width: number, piece: Inline): number {
    this.flush();
    this.pieces.push(piece);
    this.at += width;
    this.textFrom = this.at;
    return width;
  }

  flush(): void {
    if (this.textFrom < this.at) this.pieces.push({ is: "text", text: this.text.slice(this.textFrom, this.at) });
  }

  skip(width: number): number {
    this.at += width;
    return width;
  }

  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  runLength(character: string): number {
    let end = this.at + 1;
    while (this.text[end] === character) end += 1;
    return end - this.at;
  }
}

/** Drops marks that nest too deep and keeps their text. */
function limitNesting(pieces: Inline[]): Inline[] {
  let depth = 0;
  return pieces.filter((piece) => {
    if (piece.is === "open") return depth++ < maxDepth;
    if (piece.is === "close") return --depth < maxDepth;
    return true;
  });
}

function colorMark(letter: string): Mark {
  return letter.toLowerCase() === "c" ? "color" : "background";
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(Math.max(at - 2, 0), at) : text.slice(Math.max(at - 1, 0), at);
}

function isBlank(character: string): boolean {
  return character.trim() === "";
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
