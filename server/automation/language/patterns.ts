import { RE2JS } from "re2js";
import { type PlainPattern, plainPattern } from "./plain-patterns.ts";
import { SyntaxProblem } from "./problem.ts";

// Regular expressions of customers. RE2 takes time in proportion to the text, whatever the expression says; what is plain
// and short goes the faster way.

type Pattern = { re2: RE2JS; plain: PlainPattern | null };

const longest = 1000;
const most = 500;
const known = new Map<string, Pattern>();

export function pattern(source: string): Pattern {
  let found = known.get(source);
  if (found === undefined) {
    if (source.length > longest) throw new SyntaxProblem("the regular expression is too long", 0);
    try {
      found = { re2: RE2JS.compile(source), plain: plainPattern(source) };
    } catch (error) {
      throw new SyntaxProblem(`the regular expression is not valid: ${(error as Error).message}`, 0);
    }
    if (known.size >= most) known.clear();
    known.set(source, found);
  }
  return found;
}

/** Group 1, else the whole match, else null. */
export function firstMatch(source: string, text: string): string | null {
  const { re2, plain } = pattern(source);
  if (plain !== null && text.length <= plain.longest) {
    const found = plain.regex.exec(text);
    return found === null ? null : (found[1] ?? found[0]);
  }
  return linearMatch(re2, text);
}

export function linearMatch(re2: RE2JS, text: string): string | null {
  const matcher = re2.matcher(text);
  if (!matcher.find()) return null;
  return (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group();
}
