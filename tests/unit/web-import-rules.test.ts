import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

// House style, "Imports point down": web reads records/ and meets the server only on the wire.

const root = join(import.meta.dirname, "../..");
const files = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("dist") && file !== "vite.config.ts")
  .map((file) => join("web", file));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

test("web imports web, records and libraries, and nothing of the server", () => {
  const wrong = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
      .map(([, path]) => relative(root, resolve(root, dirname(file), path as string)))
      .filter((to) => !to.startsWith("web/") && !to.startsWith("records/"))
      .map((to) => `${file} imports ${to}`),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test("web/api.ts is the only file that talks to the server", () => {
  const talking = files.filter((file) => /\bfetch\(|XMLHttpRequest|WebSocket|EventSource/.test(textOf(file)));
  expect(talking).toEqual(["web/api.ts"]);
});

test("no style or script stands inside a page, where the policy would have to allow it", () => {
  const inline = files.filter((file) => /dangerouslySetInnerHTML|<style|<script|\beval\(/.test(textOf(file)));
  expect(inline).toEqual([]);
  expect(textOf("web/index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});
