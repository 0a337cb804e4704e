import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { compileNativePattern } from "./native-patterns.ts";
import { findFirstMatch, matchLinear } from "./patterns.ts";

const nativeMatch = (regex: RegExp, text: string): string | null => {
  const found = regex.exec(text);
  return found === null ? null : (found[1] ?? found[0]);
};

// Few letters, so that texts are often met; the ones beyond ASCII fold into ASCII, or are two code units long.
const letters = [
  "a",
  "b",
  "k",
  "s",
  "K",
  "S",
  "0",
  "9",
  "_",
  " ",
  "-",
  "\n",
  "\r",
  "\t",
  "é",
  "ſ",
  "K",
  "\u2028",
  "😀",
  ".",
];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((list) => list.join(""));

// biome-ignore format: a table keeps its columns
const single = fc.constantFrom(
  "a", "b", "k", "s", "K", "0", "_", " ", "-", ".", "\\.", "\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "\\n", "\\-", "é", "😀", "]",
  "[ab]", "[^ab]", "[a-k]", "[^a-k0-9]", "[\\d\\s]", "[^\\s_]", "[\\w-]", "[k\\-.]", "[é-ſ]", "[s]", "[^k]", "[A-Z]",
);
const quantifier = fc.constantFrom(
  "",
  "",
  "",
  "?",
  "*",
  "+",
  "{2}",
  "{1,3}",
  "{0,2}",
  "{2,}",
  "??",
  "*?",
  "+?",
  "{1,3}?",
);
const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
  pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((list) => list.join("|")),
  sequence: fc.array(tie("item"), { maxLength: 4 }).map((list) => list.join("")),
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.tuple(single, quantifier).map((parts) => parts.join("")),
    fc.constantFrom("^", "$", "\\b"),
    fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern")).map(([open, inside]) => `${open}${inside})`),
  ),
}));
const source = fc.tuple(fc.constantFrom("", "(?i)"), pattern).map((parts) => parts.join(""));

describe("regular expressions", () => {
  test("a plain expression has the same meaning in both engines", () => {
    let plain = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
        const native = compileNativePattern(source);
        if (native === null) return;
        plain++;
        const re2 = RE2JS.compile(source);
        for (const one of texts)
          expect([source, one, nativeMatch(native.regex, one)]).toEqual([source, one, matchLinear(re2, one)]);
      }),
      { numRuns: 6_000 },
    );
    expect(plain).toBeGreaterThan(2_000);
  });

  test("any text is either plain and valid, or left to RE2", () => {
    const syntax = fc.array(fc.constantFrom(..."ab\\[](){}|?*+.^$-,:12dDwsSi".split("")), { maxLength: 12 });
    fc.assert(
      fc.property(syntax, text, (parts, one) => {
        const source = parts.join("");
        let re2: RE2JS;
        try {
          re2 = RE2JS.compile(source);
        } catch {
          return;
        }
        const native = compileNativePattern(source);
        if (native !== null) expect([source, nativeMatch(native.regex, one)]).toEqual([source, matchLinear(re2, one)]);
      }),
      { numRuns: 10_000 },
    );
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    "(a+)+b", "(a|b)*", "(?:ab)?", "a**", "\\pL", "(?P<n>a)", "(?s).", "[[:alpha:]]", "\\x41", "\\1", "(?=a)", "\\Qa\\E", "(?i)é", "(?i)\\w", "a{1,2}{3}", "\\z",
  ])("%s is left to RE2", (source) => expect(compileNativePattern(source)).toBeNull());

  test("the steps of every plain expression are bounded: long texts go to RE2, and sooner with more alternatives", () => {
    const longest = (source: string) => compileNativePattern(source)?.maxTextLength ?? -1;
    expect(longest("printer")).toBeGreaterThan(65_536);
    expect(longest("(?i)printer.*(off|down)")).toBeGreaterThan(255);
    expect(longest("(?i)printer.*(off|down)")).toBeLessThan(1_000);
    expect(longest("a.*b.*c")).toBeLessThan(200);
    expect(longest("a.*b.*c.*d.*e")).toBeLessThan(20);
    expect(longest("(a|a)".repeat(20))).toBe(-1);
    expect(longest("a?".repeat(30) + "a".repeat(30))).toBeLessThan(1);
  });

  test("AL10: no expression takes long on any text", () => {
    const texts = ["a", "ab", "a b", "printer "].flatMap((part) => [
      ...[100, 255, 400, 1_000, 60_000].map((length) => part.repeat(length).slice(0, length)),
    ]);
    for (const source of [
      "a*a*a*b",
      "(?i)printer.*(off|down)",
      "[a-z ]+[a-z ]+x",
      "a.{0,30}b.{0,30}!",
      "(a+)+$!",
      "^(a|b| )*c",
    ])
      for (const one of texts) {
        const begun = process.cpuUsage();
        findFirstMatch(source, one);
        const tookSeconds = process.cpuUsage(begun).user / 1_000_000;
        expect([source, one.length, tookSeconds < 1]).toEqual([source, one.length, true]);
      }
  });
});
