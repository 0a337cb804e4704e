import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

// What README.md and docs/ name exists: files, links, and the decisions that code cites.

const root = join(import.meta.dirname, "../..");
const readText = (file: string): string => readFileSync(join(root, file), "utf8");
const folders = "{records,server,web,demo,bench,tools,tests}";
const sources = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.startsWith("web/dist"));
const pages = ["README.md", "CHANGELOG.md", ...globSync("docs/*.md", { cwd: root })];

const decisions = [...readText("docs/decisions.md").matchAll(/^### (D-\d{3}) \S/gm)].map(([, id]) => id as string);

test("every decision has an id of its own, in ascending order", () => {
  expect(decisions.length).toBeGreaterThan(100);
  expect(readText("docs/decisions.md").match(/^### /gm)).toHaveLength(decisions.length);
  expect(decisions).toEqual([...new Set(decisions)].sort());
});

test("every decision that code or prose cites is defined", () => {
  const citing = [...sources, ...pages, ...globSync("docs/behaviour/*.md", { cwd: root })];
  const unknown = citing.flatMap((file) =>
    [...readText(file).matchAll(/\bD-\d{3}\b/g)]
      .filter(([id]) => !decisions.includes(id))
      .map(([id]) => `${file} cites ${id}`),
  );
  expect(unknown).toEqual([]);
});

test("every file that a page names exists", () => {
  const names = new Set(sources.map((file) => file.split("/").at(-1)));
  const exists = (path: string): boolean =>
    existsSync(join(root, path)) || existsSync(join(root, "server", path)) || names.has(path);
  // A name with a placeholder (`<type>.ts`, `*.md`, `NNNN-…`) stands for many files, and `data/` is no part of the repository.
  const paths = (text: string) =>
    [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.tsx?|\.sql|\.md|\/))`/g)]
      .map(([, path]) => path as string)
      .filter((path) => !path.includes("NNNN") && !path.startsWith("data/"));
  const missing = pages.flatMap((page) =>
    paths(readText(page))
      .filter((path) => !exists(path))
      .map((path) => `${page} names ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every link from page to page leads to a file", () => {
  const dead = pages.flatMap((page) =>
    [...readText(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(page), target as string)))
      .map(([, target]) => `${page} links to ${target}`),
  );
  expect(dead).toEqual([]);
});

test("every curl command quotes its address, which zsh would expand otherwise, and uses no unknown variable", () => {
  const commands = [...pages, ...globSync("docs/behaviour/*.md", { cwd: root })].flatMap((page) => {
    const text = readText(page);
    // With its continuation lines, and what it is assigned to.
    return [...text.matchAll(/^ {4,}.*\bcurl (?:.*\\\n)*.*$/gm)].map(([command]) => ({ page, text, command }));
  });
  expect(commands.length).toBeGreaterThan(4);
  for (const { page, text, command } of commands) {
    expect(command.match(/(?<!["'])https?:\/\/127/g), `${page}: ${command}`).toBe(null);
    expect(command, page).toMatch(/["']https?:\/\//);
    for (const [, name] of command.matchAll(/\$(\w+)/g))
      expect(["TOKEN", "ACCOUNT"].includes(name as string) || text.includes(`${name}=$(`), `${page}: $${name}`).toBe(
        true,
      );
  }
});
