import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { buildDecisionIndex, readDecisionPages } from "../../tools/index-decisions.ts";

// Files, links and decisions that README.md and docs/ refer to exist.

const root = join(import.meta.dirname, "../..");
const readText = (file: string): string => readFileSync(join(root, file), "utf8");
const folders = "{records,server,web,demo,bench,tools,tests}";
const sources = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.startsWith("web/dist"));
const pages = globSync(["*.md", "docs/{*,architecture/*,decisions/*}.md"], { cwd: root });

const decisionPages = readDecisionPages();
const decisions = decisionPages.flatMap((page) => page.decisions.map(({ id }) => id));

test("every decision has a unique id, in ascending order on its page, and is in the index", () => {
  expect(decisions.length).toBeGreaterThan(100);
  expect(decisions.filter((id, at) => decisions.indexOf(id) !== at)).toEqual([]);
  for (const { file, decisions: listed } of decisionPages) {
    const ids = listed.map(({ id }) => id);
    expect(ids, file).toEqual([...ids].sort());
    expect(readText(`docs/decisions/${file}`).match(/^## /gm), file).toHaveLength(ids.length);
  }
  const cited = decisionPages.flatMap((page) => page.decisions.flatMap(({ mark }) => mark?.match(/D-\d{3}/g) ?? []));
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((id) => !decisions.includes(id))).toEqual([]);
  expect(readText("docs/decisions/README.md")).toBe(buildDecisionIndex(decisionPages));
});

test("every decision cited by code or prose is defined", () => {
  const citing = [...sources, ...pages, ...globSync("docs/behaviour/*.md", { cwd: root })];
  const unknown = citing.flatMap((file) =>
    [...readText(file).matchAll(/\bD-\d{3}\b/g)]
      .filter(([id]) => !decisions.includes(id))
      .map(([id]) => `${file} cites ${id}`),
  );
  expect(unknown).toEqual([]);
});

test("every file named on a page exists", () => {
  const names = new Set(sources.map((file) => file.split("/").at(-1)));
  // A module's page names files relative to the module.
  const listFolders = (page: string): string[] => {
    const [, module] = /^docs\/architecture\/(.+)\.md$/.exec(page) ?? [];
    return ["", "server", ...(module === undefined ? [] : [module, `server/${module}`])];
  };
  const exists = (page: string, path: string): boolean =>
    names.has(path) || listFolders(page).some((folder) => existsSync(join(root, folder, path)));
  // A name with a placeholder (`<type>.ts`, `*.md`, `NNNN-…`) stands for many files, and `data/` isn't part of the repository.
  const paths = (text: string) =>
    [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.tsx?|\.sql|\.md|\/))`/g)]
      .map(([, path]) => path as string)
      .filter((path) => !path.includes("NNNN") && !path.startsWith("data/"));
  const missing = pages.flatMap((page) =>
    paths(readText(page))
      .filter((path) => !exists(page, path))
      .map((path) => `${page} names ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every module has its page in docs/architecture", () => {
  const documented = globSync("docs/architecture/*.md", { cwd: root }).map((file) => basename(file, ".md"));
  const modules = readdirSync(join(root, "server"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "commands")
    .map(({ name }) => name);
  expect(documented.sort()).toEqual([...modules, "main", "markup", "records", "web"].sort());
});

test("every link between pages leads to a file", () => {
  const dead = pages.flatMap((page) =>
    [...readText(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(page), target as string)))
      .map(([, target]) => `${page} links to ${target}`),
  );
  expect(dead).toEqual([]);
});

test("every curl command quotes its address, which zsh would expand otherwise, and uses only known variables", () => {
  const commands = [...pages, ...globSync("docs/behaviour/*.md", { cwd: root })].flatMap((page) => {
    const text = readText(page);
    // Including continuation lines and an assignment in front.
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
