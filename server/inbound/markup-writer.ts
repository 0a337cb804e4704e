// Assembles text, marks and blocks into markup, line by line. Nesting is limited to what the markup supports, so the cost
// is linear in the length of the source.

/** Marks, on a line of its own, where a quoted message begins. Removed from all text of the message itself. */
export const quoteMark = "\ue000";

const maxDepth = 8;
/** More than a note can hold; the rest of a message is dropped. */
const maxLength = 1_048_576;

type ListLevel = { ordered: boolean; count: number };

export class MarkupWriter {
  private readonly lines: string[] = [];
  /** the current line; a single string would be copied with every word */
  private pieces: string[] = [];
  private written = 0;
  private isFresh = true;
  private quotes = 0;
  private readonly levels: ListLevel[] = [];
  private extraLevels = 0;
  private marks: { mark: string; isShown: boolean }[] = [];
  private link: { address: string; from: number } | null = null;
  private code = 0;

  text(): string {
    if (this.code > 0) {
      this.code = 1;
      this.closeCode();
    }
    this.endLine();
    return this.lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .replace(/^\n+/, "")
      .trimEnd();
  }

  write(source: string): void {
    if (this.written > maxLength) return;
    const text = source.replaceAll(quoteMark, "");
    if (this.code > 0) {
      const [first = "", ...others] = text.replace(/\r\n?/g, "\n").split("\n");
      this.append(first);
      for (const line of others) {
        this.push();
        this.append(line);
      }
      return;
    }
    const words = text.replace(/[\s\u00a0]+/g, " ");
    const isAtStart = this.isFresh || this.pieces.at(-1)?.endsWith(" ");
    const shown = isAtStart ? words.trimStart() : words;
    if (shown === "") return;
    if (shown !== " ") this.showMarks();
    this.append(shown);
  }

  /** Writes markup unchanged. */
  piece(markup: string): void {
    if (this.written > maxLength) return;
    this.showMarks();
    this.append(markup);
  }

  private append(text: string): void {
    this.pieces.push(text);
    this.written += text.length;
    this.isFresh = false;
  }

  breakLine(): void {
    const { marks } = this;
    this.hideMarks();
    // A second break makes an empty line.
    if (this.isFresh && this.code === 0) this.blank();
    else this.push();
    this.marks = marks.map(({ mark }) => ({ mark, isShown: false }));
  }

  endLine(): void {
    this.closeLink();
    const { marks } = this;
    this.hideMarks();
    if (!this.isFresh) this.push();
    this.marks = marks.map(({ mark }) => ({ mark, isShown: false }));
  }

  paragraph(): void {
    this.endLine();
    this.blank();
  }

  /** Writes a separate line. */
  line(text: string): void {
    this.endLine();
    this.lines.push(text);
  }

  alone(text: string): void {
    this.paragraph();
    this.append(text);
    this.paragraph();
  }

  heading(level: number): void {
    this.paragraph();
    if (this.levels.length === 0) this.prefix = `${"#".repeat(level)} `;
  }

  /** written before the first word of the line */
  private prefix = "";

  private push(): void {
    const begin = "> ".repeat(this.quotes);
    const current = this.pieces.join("");
    const line = this.code > 0 ? current : current.trimEnd();
    this.lines.push(begin + this.prefix + line);
    this.written += begin.length + 1;
    // Further lines of a list item are indented below it.
    this.prefix = this.levels.length > 0 ? "  ".repeat(this.levels.length) : "";
    this.pieces = [];
    this.isFresh = true;
  }

  private blank(): void {
    const line = "> ".repeat(this.quotes).trimEnd();
    if (this.levels.length === 0) this.prefix = "";
    if (this.lines.length > 0 && this.lines.at(-1) !== line && this.written <= maxLength) this.lines.push(line);
  }

  openMark(mark: string): void {
    if (this.code === 0 && this.marks.length < maxDepth) this.marks.push({ mark, isShown: false });
  }

  closeMark(mark: string): void {
    const at = this.marks.findLastIndex((open) => open.mark === mark);
    if (at < 0) return;
    // Inner marks that are still open end here, too.
    for (const { isShown, mark: inner } of this.marks.splice(at).reverse()) if (isShown) this.endMark(inner);
  }

  private showMarks(): void {
    for (const open of this.marks)
      if (!open.isShown) {
        this.append(open.mark);
        open.isShown = true;
      }
  }

  private hideMarks(): void {
    for (const { isShown, mark } of [...this.marks].reverse()) if (isShown) this.endMark(mark);
    this.marks = [];
  }

  /** A closing mark follows its word without a space. */
  private endMark(mark: string): void {
    const last = this.pieces.at(-1) ?? "";
    const hasTrailingSpace = this.code === 0 && last.endsWith(" ");
    if (hasTrailingSpace) this.pieces[this.pieces.length - 1] = last.slice(0, -1);
    this.append(hasTrailingSpace ? `${mark} ` : mark);
  }

  openLink(address: string | null): void {
    this.closeLink();
    if (address === null || this.code > 0) return;
    this.showMarks();
    this.link = { address, from: this.pieces.length };
  }

  closeLink(): void {
    const { link } = this;
    this.link = null;
    if (link === null) return;
    const raw = this.pieces.slice(link.from).join("");
    const words = raw.trim();
    const bare = (text: string) => text.replace(/^mailto:|\/$/gi, "").toLowerCase();
    if (words === "" || words.includes("![") || bare(words) === bare(link.address)) return;
    const linked = `[${words.replace(/[[\]]/g, " ")}](${link.address})`;
    const [before, after] = [raw.startsWith(" ") ? " " : "", raw.endsWith(" ") ? " " : ""];
    this.pieces.splice(link.from, this.pieces.length, before + linked + after);
    this.written += link.address.length;
  }

  openList(ordered: boolean): void {
    if (this.levels.length === 0) this.paragraph();
    else this.endLine();
    if (this.levels.length < maxDepth) this.levels.push({ ordered, count: 0 });
    else this.extraLevels++;
  }

  closeList(): void {
    this.endLine();
    if (this.extraLevels > 0) this.extraLevels--;
    else this.levels.pop();
    this.prefix = "";
    if (this.levels.length === 0) this.blank();
  }

  item(): void {
    this.endLine();
    const level = this.levels.at(-1);
    const indent = "   ".repeat(Math.max(this.levels.length - 1, 0));
    this.prefix = level?.ordered ? `${indent}${++level.count}. ` : `${indent}* `;
  }

  openQuote(): void {
    this.paragraph();
    if (this.quotes < maxDepth) this.quotes++;
    else this.extraQuotes++;
  }
  private extraQuotes = 0;

  closeQuote(): void {
    this.endLine();
    if (this.extraQuotes > 0) this.extraQuotes--;
    else if (this.quotes > 0) this.quotes--;
    this.blank();
  }

  openCode(): void {
    if (this.code++ > 0) return;
    this.paragraph();
    this.lines.push("```");
  }

  closeCode(): void {
    if (this.code === 0 || --this.code > 0) return;
    if (!this.isFresh) this.push();
    this.lines.push("```");
    this.blank();
  }

  /** Separates the cells of a table. */
  separate(): void {
    if (!this.isFresh) this.append(" | ");
  }
}
