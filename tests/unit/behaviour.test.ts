import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

// Rules are defined in docs/behaviour and cited by id in comments and test titles. docs/behaviour/README.md describes
// the form that is parsed here.

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}
const root = findRoot(import.meta.dirname);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Rule = { id: string; document: string; text: string; code: string[]; tests: string[] };

const documents = readdirSync(join(root, "docs/behaviour")).filter((name) => name.endsWith(".md"));
const quotedPaths = (line: string): string[] => [...line.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string);

function parseRules(document: string): Rule[] {
  const sections = read(`docs/behaviour/${document}`).split(/^### /m).slice(1);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const find = (word: string): string => lines.find((line) => line.startsWith(`${word}: `)) ?? "";
    const text = lines.filter((line) => line.trim() !== "" && !/^(?:Code|Test): /.test(line)).join(" ");
    const [id = ""] = heading.split(" ");
    return { id, document, text, code: quotedPaths(find("Code")), tests: quotedPaths(find("Test")) };
  });
}
const rules = documents.filter((name) => name !== "README.md").flatMap(parseRules);
const defined = new Set(rules.map(({ id }) => id));

const isOurs = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path) && !path.endsWith("behaviour.test.ts");
const sources = ["server", "records", "markup", "tests", "web", "demo"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  )
  .filter(isOurs);
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

const comment = /(?:^|[\s;,({[])\/\/(?!\/) ?(.*)$|\/\*\*?([\s\S]*?)\*\//gm;
const title = /(?:\b(?:test|it|describe)(?:\.\w+)?(?:\([^()\n]*\))?\(|\]\)\()\s*(["'`])((?:\\.|(?!\1).)*)\1/g;
const readComments = (text: string): string[] =>
  [...text.matchAll(comment)].map(([, line, block]) => line ?? block ?? "");
const readTitles = (text: string): string[] => [...text.matchAll(title)].map(([, , words]) => words as string);

/** Words that look like an id: engines, formats, algorithms, test vectors, worked examples. */
const notRules =
  /^(?:RE2|S3|ZIP64|UTF8|V\d+|RFC\d+|ISO\d+|[RPHE]S(?:256|384|512)|S256|AES256|SHA\d+|P95|X509|HTTP2|ES\d+)$/;
const id = /(?<![\w.#/%&$-])[A-Z]{1,3}[1-9]\d{0,2}(?![\w:.-]\w)/g;
const readIds = (text: string): string[] =>
  [...text.matchAll(id)].map(([word]) => word).filter((word) => !notRules.test(word));

/** The ids in a text; "AP3 to AP6" includes every defined rule between the two. */
function expandIds(text: string): string[] {
  const ranges = [...text.matchAll(/\b([A-Z]{1,3})(\d+) to \1(\d+)\b/g)].flatMap(([, letters, from, to]) =>
    [...defined].filter((each) => {
      const number = Number(each.slice((letters as string).length));
      return /^[A-Z]+/.exec(each)?.[0] === letters && number >= Number(from) && number <= Number(to);
    }),
  );
  return [...readIds(text), ...ranges];
}

/** The ids that a test proves: those in its titles, in comments that list them one by one, and in table rows. */
function findProof(text: string): Set<string> {
  const rows = [...text.matchAll(/\[\s*"([A-Z]{1,3}\d+)",/g)].map(([, row]) => row as string);
  return new Set([...readTitles(text).flatMap(expandIds), ...readComments(text).flatMap(readIds), ...rows]);
}
const proofs = new Map(sources.filter(isTest).map((path) => [path, findProof(read(path))]));

test("rules are defined once, in words, with existing code and tests", () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((each, at) => !/^[A-Z]{1,3}[1-9]\d*$/.test(each) || ids.indexOf(each) !== at)).toEqual([]);
  expect(rules.length).toBeGreaterThan(500);
  const wrong = rules.flatMap(({ id, text, code, tests }) => [
    ...(text.length > 20 ? [] : [`${id} says nothing`]),
    ...(code.length > 0 ? [] : [`${id} names no code`]),
    ...[...code, ...tests].filter((path) => !existsSync(join(root, path))).map((path) => `${id} names ${path}`),
  ]);
  expect(wrong).toEqual([]);
});

test("README.md lists every rule file", () => {
  const readme = read("docs/behaviour/README.md");
  expect(documents.filter((name) => name !== "README.md" && !readme.includes(`(${name})`))).toEqual([]);
});

test("every id cited by code or tests is defined", () => {
  const unknown = sources.flatMap((path) => {
    const text = read(path);
    const words = [...readComments(text), ...(isTest(path) ? readTitles(text) : [])].flatMap(readIds);
    return [...new Set(words)].filter((word) => !defined.has(word)).map((word) => `${path}: ${word}`);
  });
  expect(unknown).toEqual([]);
});

test("every defined rule is cited by its listed tests", () => {
  const wrong = rules.flatMap(({ id, tests }) =>
    tests.length === 0
      ? [`${id}: no test`]
      : tests.filter((path) => proofs.get(path)?.has(id) !== true).map((path) => `${id}: not cited by ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("no comment cites a document outside the repository", () => {
  const outside =
    /\b(?:lifecycles|sla-clock|import-export|conventions|authorization|compatibility|engineering-notes)\.md\b|records\/[a-z-]+\.md|[Ss]pecification, document|\b[Dd]ocument [123]\b/;
  const citing = sources.flatMap((path) =>
    readComments(read(path))
      .filter((text) => outside.test(text))
      .map((text) => `${path}: ${text.trim()}`),
  );
  expect(citing).toEqual([]);
});

test("every test file named in a source exists", () => {
  const names = new Set(sources.map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const missing = sources.flatMap((path) =>
    [...read(path).matchAll(/\b[a-z0-9-]+\.test\.tsx?\b/g)]
      .filter(([name]) => !names.has(name) && name !== "behaviour.test.ts")
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
