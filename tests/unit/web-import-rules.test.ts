import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// web meets the server only on the wire, and its pages obey the content security policy.

const root = join(import.meta.dirname, "../..");
const files = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("dist") && file !== "vite.config.ts")
  .map((file) => join("web", file));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

test("web/api/call.ts is the only file that talks to the server", () => {
  const talking = files.filter((file) => /\bfetch\(|XMLHttpRequest|WebSocket|new EventSource/.test(textOf(file)));
  expect(files.length).toBeGreaterThan(50);
  expect(talking).toEqual(["web/api/call.ts"]);
});

test("only web/queries writes keys of queries (D-796)", () => {
  const key =
    /\b(?:queryKey|mutationKey):\s*\[|\b(?:[gs]et|remove|invalidate|refetch|cancel)Quer(?:y|ies)(?:Data|State)?\(\s*\[/;
  const others = files.filter((file) => !file.startsWith("web/queries/") && !/\.test\.tsx?$/.test(file));
  expect(others.filter((file) => key.test(textOf(file)))).toEqual([]);
});

test("no style or script stands inside a page, where the policy would have to allow it", () => {
  const inline = files.filter((file) => /dangerouslySetInnerHTML|<style|<script|\beval\(/.test(textOf(file)));
  expect(inline).toEqual([]);
  expect(textOf("web/index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

/** What a file loads when it is first wanted: the function that wraps it, the file, and the part of it. */
const lazyPattern = /= (lazy\w+)\(\s*async \(\) => \(await (?:withWords\()?import\("([^"]+)"\)\)?\)\.(\w+)/g;

test("a dialog that is loaded when it is first wanted has the keys from that moment (D-755)", () => {
  // No dialogs: a panel beside the list, and menus.
  const others = [
    "web/workspace/inbox/peek.tsx",
    "web/workspace/lists/grid/row-menu-list.tsx",
    "web/parts/menu/menu-list.tsx",
    "web/workspace/shell/more-list.tsx",
  ];
  const dialogs = files.flatMap((file) =>
    [...textOf(file).matchAll(lazyPattern)].flatMap(([, wrapper, path = "", part]) => {
      const target = join(file, "..", path);
      const component = part === "default" ? "export default function \\w+" : `export function ${part}`;
      const isWhole = new RegExp(`${component}\\(props: Props\\)`).test(textOf(target));
      const takesClose = isWhole
        ? /type Props = \{[^}]*\bonClose\(/.test(textOf(target))
        : new RegExp(`${component}\\(\\{[^}]*\\bonClose\\b`).test(textOf(target));
      return takesClose && !others.includes(target) ? [{ file, target, wrapper }] : [];
    }),
  );
  expect(dialogs.length).toBeGreaterThan(20);
  expect(dialogs.filter(({ wrapper }) => wrapper !== "lazyDialog")).toEqual([]);
});

test("pickers are those of web/fields/pickers, where typing and Enter choose the first match (D-758)", () => {
  const borrowed = files.filter(
    (file) =>
      !file.startsWith("web/fields/pickers/") &&
      /import \{[^}]*\b(Select|MultiSelect|Autocomplete|NativeSelect|TreeSelect|Combobox)\b[^}]*\} from "@mantine\/core"/.test(
        textOf(file),
      ),
  );
  expect(borrowed).toEqual([]);
});
