import { RE2JS } from "re2js";
import { SyntaxProblem } from "./problem.ts";

// Regular expressions of customers. RE2 takes time in proportion to the text, whatever the expression says.

const longest = 1000;
const most = 500;
const known = new Map<string, RE2JS>();

export function pattern(source: string): RE2JS {
  let found = known.get(source);
  if (found === undefined) {
    if (source.length > longest) throw new SyntaxProblem("the regular expression is too long", 0);
    try {
      found = RE2JS.compile(source);
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
  const matcher = pattern(source).matcher(text);
  if (!matcher.find()) return null;
  return (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group();
}
