import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// All English texts use the words that people would search for. Texts that people of the demo company write to each other
// may begin with "It" and may use "tell".

const root = join(import.meta.dirname, "../../..");
const ours = [
  "web/languages/en/**/*.ts",
  "records/languages/en.ts",
  "records/languages/{names,interface}/en.ts",
  "records/notifications/en.ts",
  "records/figures/titles/en.ts",
  "server/actions/targets/step-texts.ts",
  "server/pages/**/*.{ts,html,js}",
  "server/commands/**/*.ts",
];
const ofTheDemo = ["demo/**/*.ts", "server/actions/sample-work/*.ts"];

const words: Readonly<Record<string, RegExp>> = {
  "anyone who": /\bwhoever\b/i,
  "someone, anyone, everyone, no one": /\b(some|any|every|no)body\b/i,
  again: /\banew\b/i,
  recently: /\blately\b/i,
  email: /\b(e-mails?|mails|(the|a|an|of|by|no|per|these|this|all) mail)\b(?! app)/i,
  "will, should": /\bshall\b/i,
  "sign in": /\blog(ged|s)? (in|into|out)\b/i,
  "a plural of the message format": /\w\(s\)/,
  "can't": /\b(cannot|can not)\b/i,
  "American spelling": /\b(colours?|licences?|organis\w+|anonymis\w+|cancelled|behaviour\w*|catalogue)\b/i,
};
const phrases: Readonly<Record<string, RegExp>> = {
  ...words,
  "notify, show": /\b(told|hear of|tell (me|all|the|webhooks))\b/i,
  "the noun": /^"?It('s)?\b/,
  "a phrase of the field": /\b(any ?more|is asked for|goes along|stands|just now|look again|take it|texts of)\b/i,
};

const allowed: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [
    /records\/languages\/en/,
    /\(s\)/,
    "the API keeps these labels; records/languages/interface has those that people read",
  ],
  [/web\/languages\/en\/(administration|privacy)/, /colour|anonymise/, "words that people may search for"],
  [/web\/languages\/en\/portal/, /^It's not solved$/, "an option that speaks for the reader"],
  [/server\/pages\/page-routes/, /^It may have been moved or deleted\.$/, "follows the title “Page not found”"],
];

const literal = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g;
const withoutComments = (source: string) => source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "").replace(/\s\/\/ .*$/gm, "");

/** The string literals of a file with more than one word. */
const readTexts = (file: string): string[] =>
  [...withoutComments(readFileSync(join(root, file), "utf8")).matchAll(literal)]
    .map(([text]) => text.slice(1, -1))
    .filter((text) => /\s/.test(text));

function findDialect(file: string, texts: readonly string[], rejected: Readonly<Record<string, RegExp>>): string[] {
  return texts.flatMap((text) =>
    Object.entries(rejected)
      .filter(([, phrase]) => phrase.test(text))
      .filter(() => !allowed.some(([place, exception]) => place.test(file) && exception.test(text)))
      .map(([instead]) => `${file}: write “${instead}” in: ${text.slice(0, 160)}`),
  );
}

const list = (patterns: readonly string[]) => globSync(patterns, { cwd: root }).toSorted();

test("every text of the product is in plain English", () => {
  const files = list(ours);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => findDialect(file, readTexts(file), phrases))).toEqual([]);
});

test("every text of the demo company is in plain English", () => {
  expect(list(ofTheDemo).flatMap((file) => findDialect(file, readTexts(file), words))).toEqual([]);
});

test.each([
  "Whoever knows your password can sign in as you.",
  "Nobody has it then.",
  "Texts of mails",
  "You will hear of every change",
  "It waits",
  "Do not tell webhooks and rules",
  "What changed lately",
  "Somebody joins or leaves",
  "{name} shall no longer follow this",
  "This cannot be undone.",
])("“%s” is found", (text) => expect(findDialect("", [text], phrases)).not.toEqual([]));

/** Comments and test titles, without the names of code in them. */
const readRemarks = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /^\s*(?:\/\/|\/\*\*?|\*)(.*)$|\s\/\/ (.*)$|\b(?:test|describe|story)(?:\.each\([^)]*\))?\(\s*"((?:[^"\\]|\\.)*)"/gm,
    ),
  ].map(([, line, end, title]) => (line ?? end ?? title ?? "").replace(/`[^`]*`|“[^”]*”|"[^"]*"/g, ""));

const inRemarks: Readonly<Record<string, RegExp>> = {
  "anyone who": /\bwhoever\b/i,
  "someone, anyone, everyone, no one": /\b(some|any|every|no)body\b/i,
  again: /\banew\b/i,
  recently: /\blately\b/i,
  emails: /\bmails\b/i,
  "show, notify": /\btold\b/i,
  "will, should": /\bshall\b/i,
};

test("comments and test titles are in plain English", () => {
  const files = list(["{web,server,records,tests,demo,tools,bench}/**/*.{ts,tsx,css}"]).filter(
    // The word list is quoted here, and root is called nobody in a user namespace.
    (file) => !/web\/dist|plain-words|\/languages\/(de|nl|fr|es)|cluster\/identity/.test(file),
  );
  expect(files.length).toBeGreaterThan(2500);
  expect(files.flatMap((file) => findDialect(file, readRemarks(file), inRemarks))).toEqual([]);
});
