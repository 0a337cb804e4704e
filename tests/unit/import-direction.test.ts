import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

// docs/architecture.md, "Imports point down": a module imports the modules below it, and modules of one layer don't
// import each other.

const root = join(import.meta.dirname, "../..");

/** Modules from the top to the bottom, one layer per line. */
const layers = [
  ["main"],
  ["pages"],
  ["graphql"],
  ["live"],
  ["api"],
  ["scim"],
  ["oauth"],
  ["inbound"],
  ["webhooks", "automation", "notifications", "timers", "exchange", "actions"],
  ["rules"],
  ["business-time"],
  ["engine"],
  ["queue", "mail"],
  ["database"],
  ["schema", "embedded"],
  ["postgres", "files"],
  ["base"],
];
const findLayer = (module: string) => layers.findIndex((layer) => layer.includes(module));

/** The same for the folders of web/. Files in web/ itself assemble the pages. */
const webLayers = [
  ["web"],
  ["workspace", "portal", "settings"],
  ["parts"],
  ["actions"],
  ["fields"],
  ["uploads"],
  ["drafts"],
  ["queries"],
  ["elements"],
  ["live"],
  ["api"],
  ["base", "languages"],
];
const findWebLayer = (folder: string) => webLayers.findIndex((layer) => layer.includes(folder));

type Import = { from: string; to: string; typeOnly: boolean };

const listFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("dist/"))
    .map((file) => join(folder, file));

/** Finds every import and re-export, static or dynamic. One that names only types counts as a type import. */
function parseImports(file: string): (Import & { path: string })[] {
  const text = readFileSync(join(root, file), "utf8");
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?([\w*{][^"';]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...statements].map(([, type, clause, path, lazy]) => {
    const names =
      /\{([^}]*)\}/
        .exec(clause ?? "")?.[1]
        ?.split(",")
        .map((name) => name.trim())
        .filter(Boolean) ?? [];
    const onlyTypes =
      names.length > 0 && names.every((name) => name.startsWith("type ")) && !/^\w+\s*,/.test(clause ?? "");
    const target = (path ?? lazy) as string;
    const to = target.startsWith(".") ? relative(root, resolve(root, dirname(file), target)) : target;
    return { from: file, to, path: target, typeOnly: type !== undefined || onlyTypes };
  });
}

/** The module of a file. main.ts, service.ts, the commands and the demo company are the top module. */
function findModule(file: string): string {
  const [folder, module, ...rest] = file.split("/") as [string, string, ...string[]];
  if (folder === "demo") return "main";
  if (folder !== "server") return folder;
  return rest.length === 0 || module === "commands" ? "main" : module;
}

const all = ["records", "markup", "server", "demo", "web"].flatMap(listFiles).flatMap(parseImports);
const inner = all.filter(({ path }) => path.startsWith("."));
const describeImports = (list: readonly Import[]) => list.map(({ from, to }) => `${from} imports ${to}`);

/** Finds circular imports, each circle once. */
function findCircles(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Map<string, string[]>();
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const circle = path.slice(at);
      found.set([...circle].sort().join(), circle);
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...found.values()];
}

test("the imports are found, and each internal one names a file with its extension", () => {
  expect(inner.length).toBeGreaterThan(200);
  expect(inner.some(({ typeOnly }) => typeOnly) && inner.some(({ typeOnly }) => !typeOnly)).toBe(true);
  expect(describeImports(inner.filter(({ to }) => !/\.(tsx?|css)$/.test(to)))).toEqual([]);
});

test("records imports nothing outside records", () => {
  expect(
    describeImports(all.filter(({ from, to }) => from.startsWith("records/") && !to.startsWith("records/"))),
  ).toEqual([]);
});

test("markup imports nothing outside markup", () => {
  expect(
    describeImports(all.filter(({ from, to }) => from.startsWith("markup/") && !to.startsWith("markup/"))),
  ).toEqual([]);
});

test("web imports web, records, markup and libraries, and nothing from the server", () => {
  const wrong = inner.filter(({ from, to }) => from.startsWith("web/") && !/^(web|records|markup)\//.test(to));
  expect(describeImports(wrong)).toEqual([]);
});

test("every server module has a layer", () => {
  const modules = new Set(listFiles("server").map(findModule));
  expect([...modules].filter((module) => findLayer(module) < 0)).toEqual([]);
});

test("imports point down, and modules of one layer do not import each other", () => {
  const wrong = inner.filter(({ from, to }) => {
    if (!from.startsWith("server/") || /^(records|markup)\//.test(to)) return false;
    const [here, there] = [findModule(from), findModule(to)];
    return here !== there && findLayer(there) <= findLayer(here);
  });
  expect(describeImports(wrong)).toEqual([]);
});

const findWebFolder = (file: string): string => {
  const [, folder = "", ...rest] = file.split("/");
  return rest.length === 0 ? "web" : folder;
};

test("every folder of web has a layer", () => {
  const folders = new Set(listFiles("web").map(findWebFolder));
  expect([...folders].filter((folder) => findWebLayer(folder) < 0)).toEqual([]);
});

test("imports in web point down; words and base are one layer", () => {
  const wrong = inner.filter(({ from, to }) => {
    if (!from.startsWith("web/") || !to.startsWith("web/") || to.endsWith(".css")) return false;
    const [here, there] = [findWebFolder(from), findWebFolder(to)];
    const isBase = [here, there].every((folder) => ["base", "languages"].includes(folder));
    return here !== there && !isBase && findWebLayer(there) <= findWebLayer(here);
  });
  expect(describeImports(wrong)).toEqual([]);
});

test("business time is pure: it imports base and Temporal, and nothing that reads or writes", () => {
  const allowed = (to: string) => to === "temporal-polyfill" || ["business-time", "base"].includes(findModule(to));
  const wrong = all.filter(({ from, to }) => from.startsWith("server/business-time/") && !allowed(to));
  expect(describeImports(wrong)).toEqual([]);
});

test("no file of server, records, demo or web imports itself through others, neither values nor types", () => {
  expect(findCircles(inner)).toEqual([]);
});

test("the server imports no values from node:http, because Node would load a 14 MB client (D-588)", () => {
  const importing = listFiles("server")
    .filter((file) => !file.startsWith("server/commands/"))
    .flatMap(parseImports)
    .filter(({ to, typeOnly }) => to === "node:http" && !typeOnly);
  expect(importing.map(({ from }) => from)).toEqual([]);
});
