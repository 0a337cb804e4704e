import { RE2JS } from "re2js";
import { SyntaxProblem } from "./errors.ts";
import { compileNativePattern, type NativePattern } from "./native-patterns.ts";

// Regular expressions of customers. RE2 runs in linear time for every expression; simple and short cases use the faster
// engine of JavaScript.

type CompiledPattern = { re2: RE2JS; plain: NativePattern | null };

const maxPatternLength = 1000;
const maxCachedPatterns = 500;
const cachedPatterns = new Map<string, CompiledPattern>();

export function compilePattern(source: string): CompiledPattern {
  let found = cachedPatterns.get(source);
  if (found === undefined) {
    if (source.length > maxPatternLength) throw new SyntaxProblem("the regular expression is too long", 0);
    try {
      found = { re2: RE2JS.compile(source), plain: compileNativePattern(source) };
    } catch (error) {
      throw new SyntaxProblem(`the regular expression is not valid: ${(error as Error).message}`, 0);
    }
    if (cachedPatterns.size >= maxCachedPatterns) cachedPatterns.clear();
    cachedPatterns.set(source, found);
  }
  return found;
}

/** Group 1, otherwise the whole match, otherwise null. */
export function findFirstMatch(source: string, text: string): string | null {
  const { re2, plain } = compilePattern(source);
  if (plain !== null && text.length <= plain.maxTextLength) {
    const found = plain.regex.exec(text);
    return found === null ? null : (found[1] ?? found[0]);
  }
  return matchLinear(re2, text);
}

export function matchLinear(re2: RE2JS, text: string): string | null {
  const matcher = re2.matcher(text);
  if (!matcher.find()) return null;
  return (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group();
}
