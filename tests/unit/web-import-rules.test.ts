import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// web uses the server only over HTTP, and its pages comply with the content security policy.

const root = join(import.meta.dirname, "../..");
const files = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("dist") && file !== "vite.config.ts")
  .map((file) => join("web", file));
const readText = (file: string): string => readFileSync(join(root, file), "utf8");

test("web/api/call.ts is the only file that calls the server", () => {
  const talking = files.filter((file) => /\bfetch\(|XMLHttpRequest|WebSocket|new EventSource/.test(readText(file)));
  expect(files.length).toBeGreaterThan(50);
  expect(talking).toEqual(["web/api/call.ts"]);
});

test("only web/queries contains query keys (D-796)", () => {
  const key =
    /\b(?:queryKey|mutationKey):\s*\[|\b(?:[gs]et|remove|invalidate|refetch|cancel)Quer(?:y|ies)(?:Data|State)?\(\s*\[/;
  const others = files.filter((file) => !file.startsWith("web/queries/") && !/\.test\.tsx?$/.test(file));
  expect(others.filter((file) => key.test(readText(file)))).toEqual([]);
});

test("no page contains an inline style or script, which the policy would have to allow", () => {
  const inline = files.filter((file) => /dangerouslySetInnerHTML|<style|<script|\beval\(/.test(readText(file)));
  expect(inline).toEqual([]);
  expect(readText("web/index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

/** Finds lazily loaded files: the wrapping function, the file, and its export. */
const lazyPattern = /= (lazy\w+)\(\s*async \(\) => \(await (?:withWords\()?import\("([^"]+)"\)\)?\)\.(\w+)/g;

test("a lazily loaded dialog receives keys from the moment it is requested (D-755)", () => {
  // These aren't dialogs: a panel beside the list, and menus.
  const others = [
    "web/workspace/inbox/peek.tsx",
    "web/workspace/lists/grid/row-menu-list.tsx",
    "web/parts/menu/menu-list.tsx",
    "web/workspace/shell/more-list.tsx",
  ];
  const dialogs = files.flatMap((file) =>
    [...readText(file).matchAll(lazyPattern)].flatMap(([, wrapper, path = "", part]) => {
      const target = join(file, "..", path);
      const component = part === "default" ? "export default function \\w+" : `export function ${part}`;
      const isWhole = new RegExp(`${component}\\(props: Props\\)`).test(readText(target));
      const takesClose = isWhole
        ? /type Props = \{[^}]*\bonClose\(/.test(readText(target))
        : new RegExp(`${component}\\(\\{[^}]*\\bonClose\\b`).test(readText(target));
      return takesClose && !others.includes(target) ? [{ file, target, wrapper }] : [];
    }),
  );
  expect(dialogs.length).toBeGreaterThan(20);
  expect(dialogs.filter(({ wrapper }) => wrapper !== "lazyDialog")).toEqual([]);
});

test("pickers come from web/fields/pickers, where typing and Enter choose the first match (D-758)", () => {
  const borrowed = files.filter(
    (file) =>
      !file.startsWith("web/fields/pickers/") &&
      /import \{[^}]*\b(Select|MultiSelect|Autocomplete|NativeSelect|TreeSelect|Combobox)\b[^}]*\} from "@mantine\/core"/.test(
        readText(file),
      ),
  );
  expect(borrowed).toEqual([]);
});
