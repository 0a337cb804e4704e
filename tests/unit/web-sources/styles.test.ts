import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The style rules of docs/decisions/web-interface.md: a class is styled in one file, sizes come from
// web/styles/elements/tokens.css, and media queries use three widths.

const web = join(import.meta.dirname, "../../../web");
const listFiles = (folder: string, extension: RegExp): string[] =>
  readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).filter((file) => extension.test(file));

/** Breakpoints between the layouts of a phone, a tablet and a desktop. */
const breakpoints = ["48em", "64em", "75em"];

/** Names with different meanings in the portal and in the workspace. */
const portalNames = [
  ...[
    "arriving-work",
    "article",
    "article-meta",
    "avatar",
    "choice",
    "choices",
    "composer",
    "dialog-actions",
    "dialog-form",
  ],
  ...[
    "facts",
    "icon",
    "markup",
    "menu",
    "menu-head",
    "plain-list",
    "quiet",
    "request-columns",
    "request-main",
    "request-side",
  ],
  ...["request-title", "section-head", "side-card", "skip", "small", "spoken", "tabs", "tile", "wide-only", "wrap"],
];
/** Names with different meanings in two parts of the workspace. Each rule qualifies its name with an element or a parent. */
const homonyms = ["side-card", "target-value"];

type Declaration = { property: string; value: string };
type Rule = { file: string; media: string; selectors: string[]; declarations: Declaration[] };

/** Splits at separators outside brackets. */
function split(text: string, separator: RegExp): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (/[([]/.test(character)) depth++;
    if (/[)\]]/.test(character)) depth--;
    if (depth === 0 && separator.test(character)) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function readRules(file: string): Rule[] {
  const rules: Rule[] = [];
  const open: string[] = [];
  let text = "";
  for (const character of readFileSync(join(web, "styles", file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")) {
    if (character === "{") {
      open.push(text.trim());
      text = "";
    } else if (character === "}") {
      const selector = open.pop() ?? "";
      const media = open.filter((outer) => outer.startsWith("@")).join(" ");
      const declarations = split(text, /;/).map((line) => {
        const [property = "", ...value] = line.split(":");
        return { property: property.trim(), value: value.join(":").trim() };
      });
      if (!/@(keyframes|font-face)/.test(`${media} ${selector}`))
        rules.push({ file, media, selectors: selector.startsWith("@") ? [] : split(selector, /,/), declarations });
      text = "";
    } else if (character === ";" && open.length === 0) text = "";
    else text += character;
  }
  return rules;
}

const rules = listFiles("styles", /\.css$/).flatMap(readRules);
const isOurs = (name: string): boolean => !name.startsWith("mantine-");
const findClasses = (text: string): string[] =>
  [...text.replaceAll(/\[[^\]]*\]/g, "").matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name as string);

/** The class that a selector styles: the first one of its last compound, or of each alternative in it. */
function findSubjects(selector: string): string[] {
  const last = split(selector, /[\s>+~]/).at(-1) ?? "";
  const [own] = findClasses(last.replaceAll(/:[\w-]+\(.*\)/g, "")).filter(isOurs);
  if (own !== undefined) return [own];
  const [, choices] = /:(?:is|where)\((.*)\)/.exec(last) ?? [];
  return choices === undefined ? [] : split(choices, /,/).flatMap(findSubjects);
}

const getArea = (file: string): string => (file.startsWith("portal/") ? "portal" : "workspace");

test("every class is styled in one file, except for names that the portal uses differently", () => {
  const filesOf = new Map<string, Set<string>>();
  // Print styles apply to whole pages.
  for (const { file, selectors } of rules.filter(({ media }) => !media.includes("print")))
    for (const name of selectors.flatMap(findSubjects)) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  expect(filesOf.size).toBeGreaterThan(1000);
  const several = [...filesOf].filter(([, files]) => files.size > 1);
  const within = several.filter(([, files]) => new Set([...files].map(getArea)).size < files.size);
  expect(within.map(([name]) => name).sort()).toEqual(homonyms);
  const across = several.filter(([, files]) => new Set([...files].map(getArea)).size > 1);
  expect(across.map(([name]) => name).sort()).toEqual(portalNames);
});

test("font sizes are tokens", () => {
  const allowed =
    /^(inherit|var\(--font-(caption|small|body|reading|lead|heading|title|input)\)|calc\(var\(--avatar-size\) \* 0\.45\))$/;
  const literal = rules.flatMap(({ file, selectors, declarations }) =>
    declarations
      .filter(({ property, value }) => property === "font-size" && !allowed.test(value))
      .map(({ value }) => `${file} ${selectors[0]}: ${value}`),
  );
  expect(literal).toEqual([]);
});

test("radii are tokens, and so is every space on the scale", () => {
  const scale = /(?<![\w.])(?:2|4|6|8|10|12|14|16|20|24|28|32|40|48)px/;
  const literal = rules.flatMap(({ file, selectors, declarations }) =>
    declarations
      .filter(
        ({ property, value }) =>
          (/^(padding|margin|gap|row-gap|column-gap)/.test(property) && scale.test(value)) ||
          (/radius$/.test(property) && /[1-9]\d*(px|r?em)/.test(value)),
      )
      .map(({ property, value }) => `${file} ${selectors[0]}: ${property} ${value}`),
  );
  expect(literal).toEqual([]);
});

test("media queries use three widths", () => {
  const used = new Set(
    rules.flatMap(({ media }) => [...media.matchAll(/width[^)]*?([\d.]+\w+)/g)].map(([, at]) => at)),
  );
  expect([...used].sort()).toEqual(breakpoints);
});

test("every class occurs in the sources", () => {
  const text = listFiles(".", /(?<!\.test)\.tsx?$/)
    .filter((file) => !/^(dist|languages)\//.test(file))
    .map((file) => readFileSync(join(web, file), "utf8").replaceAll(/^import[^;]*;$|^\s*\/\/.*$/gm, ""))
    .join("\n");
  const words = new Set(
    [...text.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].flatMap(([, plain, template]) =>
      (plain ?? template ?? "").split(/[^\w-]+/),
    ),
  );
  const beginnings = [...text.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, beginning]) => beginning as string);
  const isUsed = (name: string) => words.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  const unused = rules.flatMap(({ file, selectors }) =>
    selectors
      .flatMap(findClasses)
      .filter((name) => isOurs(name) && !isUsed(name))
      .map((name) => `${file} ${name}`),
  );
  expect([...new Set(unused)]).toEqual([]);
});
