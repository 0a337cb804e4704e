import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// A field kind owns everything the server knows about that kind, and the engine mentions no record type by name.

const read = (pattern: string, except: RegExp) =>
  globSync(pattern)
    .filter((path) => !except.test(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

function findMatches(files: readonly { path: string; text: string }[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));
}

test("nothing outside engine/kinds/ checks a field's kind", () => {
  const files = read("server/**/*.ts", /engine\/kinds\/|\.test\.ts$/);
  expect(files.length).toBeGreaterThan(300);
  const asks =
    /\b(field|fields\[[^\]]+\])\??\.kind\b\s*(===|!==)\s*"|switch \(field\.kind\)|\(field\.kind\)|field\.kind\.|Field\["kind"\]/g;
  expect(findMatches(files, asks)).toEqual([]);
});

test("the engine mentions no record type by name", () => {
  const files = read("server/engine/**/*.ts", /\.test\.ts$/);
  expect(files.length).toBeGreaterThan(50);
  expect(
    findMatches(files, /types\.(get|has)\("\w+"\)|\b(type|target|child|owner)\.name [!=]== "|\.to [!=]== "/g),
  ).toEqual([]);
});
