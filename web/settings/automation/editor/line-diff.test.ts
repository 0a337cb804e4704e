import { describe, expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

const mark = { same: " ", added: "+", removed: "-" };
const show = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => mark[kind] + text);

describe("the difference of two texts", () => {
  test.each([
    ["", "", []],
    ["a", "a", [" a"]],
    ["a\nb\nc", "a\nc", [" a", "-b", " c"]],
    ["a\nc", "a\nb\nc", [" a", "+b", " c"]],
    ["a", "b", ["-a", "+b"]],
    ["", "a", ["+a"]],
    ["a", "", ["-a"]],
  ])("of %j and %j", (before, after, lines) => expect(show(before, after)).toEqual(lines));

  test("of long texts replaces all lines", () => {
    const long = Array.from({ length: 401 }, (_, line) => `line ${line}`).join("\n");
    expect(show(long, long).filter((line) => line.startsWith("-"))).toHaveLength(401);
  });
});
