import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";

// The compressed size of the pages: docs/performance.md, "The web interface". The test only measures files, so the limits
// apply on every machine.

const root = join(import.meta.dirname, "../..");
const dist = join(root, "web/dist");
const kilobyte = 1024;

type Chunk = { file: string; imports?: string[]; css?: string[] };
let manifest: Record<string, Chunk>;

beforeAll(async () => {
  await buildWeb(() => {});
  manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));
});

/** A module and everything it imports. */
function collect(keys: readonly string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (found.has(key)) continue;
    expect(manifest, `${key} is not a file of its own`).toHaveProperty([key]);
    found.add(key);
    collect(manifest[key]?.imports ?? [], found);
  }
  return found;
}
const sum = (files: Iterable<string>): number =>
  [...new Set(files)].reduce((total, file) => total + statSync(join(dist, `${file}.gz`)).size, 0) / kilobyte;
const scripts = (keys: Iterable<string>): number => sum([...keys].map((key) => manifest[key]?.file as string));
const keyOf = (name: string): string =>
  Object.keys(manifest).find(
    (key) => new RegExp(`^assets/${name}-.*\\.js$`).test(manifest[key]?.file ?? "") && key.startsWith("_"),
  ) ?? name;

const frame = () => collect(["index.html"]);
const firstWords = () =>
  collect(["languages/en/first.ts", ...Object.keys(manifest).filter((key) => /first-choices\/en$/.test(key))]);
const inbox = () => new Set([...frame(), ...firstWords(), ...collect(["workspace/inbox/inbox.tsx"])]);
/** Loaded in idle time after the first page: the parts that most pages share. */
const idle = () => new Set([...inbox(), ...collect([keyOf("shared")])]);
const onTop = (page: string, below: ReadonlySet<string>): number =>
  scripts([...collect([page])].filter((key) => !below.has(key)));

test("scripts of the frame and the inbox: 170 KB", () => expect(scripts(inbox())).toBeLessThan(170));
test("the parts that most pages share, loaded in idle time: 149 KB", () =>
  expect(scripts([...idle()].filter((key) => !inbox().has(key)))).toBeLessThan(149));
test("the portal alone: 130 KB", () => expect(scripts(collect(["portal.html"]))).toBeLessThan(130));
test.each([
  ["workspace/work-item/request-page.tsx", 35],
  ["workspace/lists/list-screen.tsx", 26],
  ["workspace/new-request/new-request.tsx", 15],
  ["workspace/palette/palette.tsx", 6],
  ["settings/profile/general.tsx", 6],
  ["workspace/notifications/notifications.tsx", 4],
])("%s on top of that: %i KB", (page, limit) => expect(onTop(page, idle())).toBeLessThan(limit));

test("no page of the portal loads scripts or styles of the workspace", () => {
  const pages = Object.keys(manifest).filter((key) => key.startsWith("portal/") && key.endsWith(".tsx"));
  expect(pages.length).toBeGreaterThan(5);
  const own = new Set([...collect(["portal.html"])].flatMap((key) => manifest[key]?.css ?? []));
  for (const page of pages) {
    const loaded = [...collect([page])];
    expect(
      loaded.filter((key) => /^_(frame|inbox|shared)-|^index\.html$/.test(key)),
      page,
    ).toEqual([]);
    expect(
      loaded.flatMap((key) => manifest[key]?.css ?? []).filter((file) => !own.has(file)),
      page,
    ).toEqual([]);
  }
});

test("no page of the workspace or the settings loads scripts or styles of the portal", () => {
  const pages = Object.keys(manifest).filter((key) => /^(workspace|settings)\/.*\.tsx$/.test(key));
  expect(pages.length).toBeGreaterThan(50);
  const ofWorkspace = new Set([...frame()].flatMap((key) => manifest[key]?.css ?? []));
  const ofPortal = [...collect(["portal.html"])]
    .flatMap((key) => manifest[key]?.css ?? [])
    .filter((file) => !ofWorkspace.has(file));
  expect(ofPortal.length).toBeGreaterThan(0);
  for (const page of pages) {
    const loaded = [...collect([page])];
    expect(
      loaded.filter((key) => /^_portal-|^portal/.test(key)),
      page,
    ).toEqual([]);
    expect(
      loaded.flatMap((key) => manifest[key]?.css ?? []).filter((file) => ofPortal.includes(file)),
      page,
    ).toEqual([]);
  }
});

test("styles of the first page: 40 KB in two files; of every later page at most 6 KB", () => {
  const cssOf = (keys: Iterable<string>) => new Set([...keys].flatMap((key) => manifest[key]?.css ?? []));
  const ofFirst = cssOf(inbox());
  expect(sum(ofFirst)).toBeLessThan(40);
  expect(ofFirst.size).toBeLessThanOrEqual(2);
  const ofPortal = cssOf(collect(["portal.html"]));
  for (const file of cssOf(Object.keys(manifest)))
    if (!ofFirst.has(file) && !ofPortal.has(file)) expect(sum([file]), file).toBeLessThan(6);
});

test("fonts: 135 KB for the two of the interface", () => {
  const inter = readdirSync(join(dist, "assets")).filter((file) => file.startsWith("inter-"));
  const sizes = inter.map((file) => statSync(join(dist, "assets", file)).size / kilobyte);
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(135);
});

// ---- assumptions about the measured files

const sources = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("dist"))
  .map((file) => join(root, "web", file));

/** The source files loaded together with some others. Type imports and dynamic imports don't count. */
function collectSources(files: readonly string[], found = new Set<string>()): Set<string> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = readFileSync(file, "utf8").matchAll(
      /^(?:import|export)\s+(?!type|const|function)[^"]*?"(\.[^"]+\.tsx?)"/gm,
    );
    collectSources(
      [...imports].map(([, path]) => resolve(dirname(file), path as string)),
      found,
    );
  }
  return found;
}

test("the frame and the inbox use only texts that are loaded first", async () => {
  const { first } = await import("../../web/languages/en/first.ts");
  const { words: en } = await import("../../web/languages/en/index.ts");
  const files = collectSources(["main.tsx", "workspace/inbox/inbox.tsx"].map((file) => join(root, "web", file)));
  const missing = [...files]
    .filter((file) => !file.includes("/languages/"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/["`]([a-zA-Z]+(?:\.(?:\w+|\$\{[^}]+\}))+)["`]/g)].flatMap(
        ([, key = ""]) => {
          const pattern = new RegExp(`^${key.replaceAll(".", "\\.").replaceAll(/\$\{[^}]+\}/g, "\\w+")}$`);
          return Object.keys(en).filter((known) => pattern.test(known) && !(known in first));
        },
      ),
    );
  expect([...new Set(missing)]).toEqual([]);
});

test("every library component used by a page has its styles", () => {
  const library = readFileSync(join(root, "web/styles/library.css"), "utf8");
  const components = join(root, "node_modules/@mantine/core/esm/components");
  const known = new Set(readdirSync(join(root, "node_modules/@mantine/core/styles")));
  const styled = new Set<string>();
  const visited = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+\.mjs)"/g)) {
      const next = resolve(dirname(file), path);
      const [, name] = /\/(\w+)\.module\.mjs$/.exec(next) ?? [];
      if (name !== undefined && known.has(`${name}.css`)) styled.add(name);
      if (next.startsWith(components)) visit(next);
    }
  };
  for (const file of sources)
    for (const [, names = ""] of readFileSync(file, "utf8").matchAll(/import \{([^}]+)\} from "@mantine\/core"/g))
      for (const name of names.split(",").map((each) => each.trim()))
        for (const path of [join(components, name, `${name}.mjs`)])
          if (/^[A-Z]/.test(name) && statSync(path, { throwIfNoEntry: false }) !== undefined) visit(path);
  expect(styled.size).toBeGreaterThan(30);
  expect([...styled].filter((name) => !library.includes(`/${name}.css"`))).toEqual([]);
});
