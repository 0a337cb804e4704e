// Decides whether a regular expression is simple enough for the backtracking engine of JavaScript. The number of steps
// is estimated beforehand: up to a certain length of text it is small, and then it is much faster than RE2. Everything
// that is not recognized here is left to RE2.

/** The cost of backtracking: `work` steps in total, and the number of ways to continue. `length`: of the text. */
type Cost = (length: number) => { work: number; ways: number };
type PatternPart = { native: string; cost: Cost };
/** `longest`: texts up to this length take a bounded number of steps */
export type NativePattern = { regex: RegExp; maxTextLength: number };

const maxSteps = 1_000_000;

class NotSupported extends Error {}

const stepCost: Cost = () => ({ work: 1, ways: 1 });
const zeroCost: Cost = () => ({ work: 0, ways: 1 });

const sequenceCost =
  (parts: readonly PatternPart[]): Cost =>
  (length) => {
    let [work, ways] = [0, 1];
    for (const { cost } of parts) {
      const here = cost(length);
      work += ways * here.work;
      ways *= here.ways;
    }
    return { work, ways };
  };
const alternativesCost =
  (parts: readonly PatternPart[]): Cost =>
  (length) => {
    const costs = parts.map(({ cost }) => cost(length));
    const sum = (of: (cost: ReturnType<Cost>) => number) => costs.reduce((total, cost) => total + of(cost), 0);
    return { work: sum(({ work }) => work) + parts.length, ways: sum(({ ways }) => ways) };
  };
const repetitionCost =
  (least: number, most: number): Cost =>
  (length) => {
    const times = Math.min(most, length);
    return { work: times + 1, ways: Math.max(1, times - least + 1) };
  };

/** Sets with the same meaning in both engines, as the inside of a bracket expression; only \n ends a line. */
const characterSets: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r " };
const controlCharacters: Readonly<Record<string, string>> = { n: "\\n", t: "\\t", r: "\\r", f: "\\f" };

class PatternParser {
  private readonly text: string[];
  private readonly ignoresCase: boolean;
  private at = 0;

  constructor(source: string, ignoresCase: boolean) {
    this.text = [...source];
    this.ignoresCase = ignoresCase;
  }

  whole(): PatternPart {
    const part = this.alternatives();
    if (this.at < this.text.length) throw new NotSupported();
    return part;
  }

  private get next(): string | undefined {
    return this.text[this.at];
  }
  private take(): string {
    const char = this.text[this.at++];
    if (char === undefined) throw new NotSupported();
    return char;
  }

  private alternatives(): PatternPart {
    const all = [this.sequence()];
    while (this.next === "|") {
      this.at++;
      all.push(this.sequence());
    }
    if (all.length === 1) return all[0] as PatternPart;
    return { native: all.map(({ native }) => native).join("|"), cost: alternativesCost(all) };
  }

  private sequence(): PatternPart {
    const all: PatternPart[] = [];
    while (this.next !== undefined && this.next !== "|" && this.next !== ")") all.push(this.item());
    return { native: all.map(({ native }) => native).join(""), cost: sequenceCost(all) };
  }

  private item(): PatternPart {
    const char = this.take();
    if (char === "^" || char === "$") return this.unrepeated({ native: char, cost: zeroCost });
    if (char === "\\" && this.next === "b" && !this.ignoresCase) {
      this.at++;
      return this.unrepeated({ native: "\\b", cost: zeroCost });
    }
    if (char === "(") return this.unrepeated(this.group());
    if (char === "[") return this.repeatable(this.set());
    if (char === ".") return this.repeatable("[^\\n]");
    if ("*+?{)".includes(char)) throw new NotSupported();
    return this.repeatable(char === "\\" ? this.escaped() : this.literal(char));
  }

  private group(): PatternPart {
    let opening = "(";
    if (this.next === "?") {
      this.at++;
      if (this.take() !== ":") throw new NotSupported();
      opening = "(?:";
    }
    const { native, cost } = this.alternatives();
    if (this.take() !== ")") throw new NotSupported();
    return { native: `${opening}${native})`, cost };
  }

  private unrepeated(part: PatternPart): PatternPart {
    if (this.next !== undefined && "*+?{".includes(this.next)) throw new NotSupported();
    return part;
  }

  /** One character or set with its quantifier. */
  private repeatable(native: string): PatternPart {
    const bounds = this.bounds();
    if (bounds === null) return { native, cost: stepCost };
    const lazy = this.next === "?" ? this.take() : "";
    if (this.next !== undefined && "*+?{".includes(this.next)) throw new NotSupported();
    return { native: native + bounds.native + lazy, cost: repetitionCost(bounds.least, bounds.most) };
  }

  private bounds(): { native: string; least: number; most: number } | null {
    const endless = Number.POSITIVE_INFINITY;
    if (this.next === "*") return { native: this.take(), least: 0, most: endless };
    if (this.next === "+") return { native: this.take(), least: 1, most: endless };
    if (this.next === "?") return { native: this.take(), least: 0, most: 1 };
    if (this.next !== "{") return null;
    const end = this.text.indexOf("}", this.at);
    const native = this.text.slice(this.at, end + 1).join("");
    const [, least, comma, most] = /^\{(\d{1,4})(,?)(\d{0,4})\}$/.exec(native) ?? [];
    if (end < 0 || least === undefined || (comma === "" && most !== "")) throw new NotSupported();
    this.at = end + 1;
    return { native, least: Number(least), most: most !== "" ? Number(most) : comma === "" ? Number(least) : endless };
  }

  /** Letters and digits as they are, everything else as a code point, so that it has no special meaning. */
  private literal(char: string): string {
    const code = char.codePointAt(0) as number;
    if (code >= 0xd800 && code <= 0xdfff) throw new NotSupported();
    // Case folding beyond ASCII differs between versions of Unicode.
    if (this.ignoresCase && code > 127) throw new NotSupported();
    return /^[A-Za-z0-9]$/.test(char) ? char : `\\u{${code.toString(16)}}`;
  }

  private escaped(): string {
    const char = this.take();
    const set = characterSets[char.toLowerCase()];
    if (set !== undefined) {
      if (this.ignoresCase && char.toLowerCase() === "w") throw new NotSupported();
      return `[${char === char.toLowerCase() ? "" : "^"}${set}]`;
    }
    const control = controlCharacters[char];
    if (control !== undefined) return control;
    if (!/^[!-/:-@[-`{-~]$/.test(char)) throw new NotSupported();
    return this.literal(char);
  }

  /** A bracket expression: characters, ranges and the small sets; no named classes. */
  private set(): string {
    let native = "[";
    if (this.next === "^") native += this.take();
    if (this.next === "]") throw new NotSupported();
    while (this.next !== "]") {
      const from = this.member();
      if (this.next !== "-" || this.text[this.at + 1] === "]") {
        native += from.native;
        continue;
      }
      this.at++;
      const to = this.member();
      if (from.code === null || to.code === null || from.code > to.code) throw new NotSupported();
      if (this.ignoresCase && to.code > 127) throw new NotSupported();
      native += `${from.native}-${to.native}`;
    }
    this.at++;
    return `${native}]`;
  }

  private member(): { native: string; code: number | null } {
    const char = this.take();
    if (char === "[" || char === "-") throw new NotSupported();
    if (char !== "\\") return { native: this.literal(char), code: char.codePointAt(0) as number };
    const next = this.next ?? "";
    if (characterSets[next] !== undefined) {
      this.at++;
      if (this.ignoresCase && next === "w") throw new NotSupported();
      return { native: characterSets[next], code: null };
    }
    const isControl = controlCharacters[next] !== undefined;
    const native = this.escaped();
    if (native.startsWith("[")) throw new NotSupported(); // a small set turned round
    return { native, code: isControl ? null : (next.codePointAt(0) as number) };
  }
}

/** Null: the expression is not simple. It is known to be valid for RE2. */
export function compileNativePattern(source: string): NativePattern | null {
  try {
    const ignoresCase = source.startsWith("(?i)");
    const { native, cost } = new PatternParser(ignoresCase ? source.slice(4) : source, ignoresCase).whole();
    const steps = (length: number) => (length + 1) * (cost(length).work + 1);
    let longest = -1;
    for (let more = 2 ** 20; more >= 1; more /= 2) if (steps(longest + more) <= maxSteps) longest += more;
    return longest < 0 ? null : { regex: new RegExp(native, ignoresCase ? "iu" : "u"), maxTextLength: longest };
  } catch (error) {
    if (error instanceof NotSupported || error instanceof SyntaxError) return null;
    throw error;
  }
}
