import { expect, test } from "vitest";
import { quote } from "./csv.ts";

test.each([
  ["plain", '"plain"'],
  ['say "yes"', '"say ""yes"""'],
  ["=1+1", `"'=1+1"`],
  ["+31 40", `"'+31 40"`],
  ["-1", `"'-1"`],
  ["@home", `"'@home"`],
  ["\tx", `"'\tx"`],
  ["a=b", '"a=b"'],
])("the cell %j is written as %s", (text, cell) => expect(quote(text)).toBe(cell));
