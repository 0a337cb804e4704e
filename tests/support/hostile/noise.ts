// A cheap generator of hostile values, reproducible by its seed. It produces hundreds of thousands of calls, for which
// fast-check's generators are too slow.

const texts: readonly string[] = [
  ...["", " ", "0", "1", "-1", "1.5", "1e999", "NaN", "true", "null", "undefined", "2147483647", "2147483648", "1e21"],
  ...["99999999999999999999999999", "-0", "0x10", "١٢", "1,2,3", "2025-02-30", "2025-03-03", "2025-03-03T08:00:00Z"],
  ...["0000-00-00T00:00:00Z", "9999-12-31T23:59:59+14:00", "275760-09-13", "25:00", "24:00", "-1:00", "Mars/Phobos"],
  ...["nul \0 nul", "lone \ud800 surrogate", "\ufeff", "\u202e", "🎉".repeat(40), "é".normalize("NFD"), "İıſ", "ﬀ"],
  ...[
    "' OR 1=1 --",
    '";DROP TABLE people;--',
    "%",
    "%00",
    "%zz",
    "\\",
    "\\u0000",
    "$1",
    "#{7*7}",
    "{{7*7}}",
    "<script>",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "../../etc/passwd", "..%2f..%2f", "//", "a/b", "a b"],
  ...[
    "\r\nX-Injected: 1",
    "a@b",
    "a@b.example",
    "https://127.0.0.1/",
    "javascript:alert(1)",
    "[x](y)",
    "**x",
    "```",
    "~~~",
  ],
  ...["en", "nl", "xx-YY", "widget-it", "stranger", "assigned", "completed", "incident", "medium", "top", "id", "-id"],
];

export class Noise {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  text(): string {
    const kind = this.below(20);
    if (kind < 14) return this.pick(texts);
    if (kind < 17) return this.times(6, () => this.pick(texts)).join(this.pick(["", " ", ",", "\n", "/"]));
    if (kind === 17) return this.pick(["x", "a ", "é", "(", "[", "<b>", "- "]).repeat(this.below(3000));
    return this.bytes(60).toString("latin1");
  }

  /** Mostly short; rarely large enough to exceed a limit. */
  longText(): string {
    return this.pick([
      "x",
      "ab ",
      "\\",
      '"',
      "[",
      "<div>",
      "| a ",
      "> ",
      "* ",
      "1. ",
      "![](",
      "&amp;",
      "\n\n",
      "𝒳",
    ]).repeat(this.below(20_000));
  }

  bytes(most: number): Buffer {
    return Buffer.from(this.times(most, () => this.below(256)));
  }

  number(): number {
    return this.pick([0, 1, -1, 0.5, 1e21, -1e-9, 2 ** 31, 2 ** 53, 3, 42, 600_001, 1.7976931348623157e308]);
  }

  /** A random JSON value. */
  value(depth = 3): unknown {
    const kind = this.below(depth > 0 ? 10 : 7);
    if (kind < 4) return this.text();
    if (kind === 4) return this.number();
    if (kind === 5) return this.pick([true, false, null]);
    if (kind === 6) return this.below(60);
    if (kind === 7) return this.times(4, () => this.value(depth - 1));
    return Object.fromEntries(this.times(4, () => [this.text(), this.value(depth - 1)]));
  }

  /** JSON, occasionally broken. */
  json(value: unknown): string {
    const text = JSON.stringify(value) ?? "";
    const kind = this.below(40);
    if (kind === 0) return text.slice(0, this.below(text.length + 1));
    if (kind === 1) return text.replace(/[,:{}[\]"]/, this.pick([",,", "'", "", "}", "\\"]));
    if (kind === 2) return `${text}${text}`;
    if (kind === 3) return "[".repeat(this.below(60)) + text;
    return text;
  }

  /** Encodes the text as a part of a path or query. */
  encode(text: string): string {
    const raw = () =>
      Buffer.from(text.toWellFormed())
        .toString("latin1")
        .replace(/[^\x21-\x7e]|[#?]/g, "%");
    return this.chance(0.15) ? raw() : encodeURIComponent(text.toWellFormed());
  }

  id(): string {
    return this.chance(0.75) ? String(1 + this.below(12)) : this.encode(this.text()).slice(0, 300) || "0";
  }
}
