import { expect, test } from "vitest";
import { buildCurl, formatJson, quoteForShell } from "./curl.ts";

test("a text becomes one shell word, even if it contains quotes", () =>
  expect(quoteForShell("it's $HOME")).toBe("'it'\\''s $HOME'"));

test("a call becomes a command with a line for each header and the body", () =>
  expect(buildCurl("POST", "https://a.example/x?y=1", { Accept: "application/json" }, '{"a":1}')).toBe(
    ["curl -X POST 'https://a.example/x?y=1'", "-H 'Accept: application/json'", `--data-raw '{"a":1}'`].join(" \\\n  "),
  ));

test.each([null, ""])("a call without a body (%j) sends none", (body) =>
  expect(buildCurl("GET", "https://a.example", {}, body)).toBe("curl -X GET 'https://a.example'"),
);

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ["not JSON", "not JSON"],
  [null, ""],
])("%j is shown as %j", (text, shown) => expect(formatJson(text)).toBe(shown));
