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

test("no style or script stands inside a page, where the policy would have to allow it", () => {
  const inline = files.filter((file) => /dangerouslySetInnerHTML|<style|<script|\beval\(/.test(textOf(file)));
  expect(inline).toEqual([]);
  expect(textOf("web/index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});
