import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { StaticContent } from "../../api/http/static-content.ts";

// The files that `npm install` built. They are read once: a build meanwhile must not mix old pages with new scripts.

export const builtFolder = join(import.meta.dirname, "..", "..", "..", "web", "dist");

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Files by path; empty when nothing has been built. */
export async function loadBuiltFiles(folder: string): Promise<ReadonlyMap<string, StaticContent>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [] as Dirent[]);
  const bytes = new Map<string, Buffer>();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes.set(relative(folder, file).replaceAll("\\", "/"), await readFile(file));
  }
  const files = new Map<string, StaticContent>();
  for (const [name, plain] of bytes) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const compressed = new Map<"br" | "gzip", Buffer>();
    for (const [coding, ending] of [["br", ".br"] as const, ["gzip", ".gz"] as const]) {
      const content = bytes.get(name + ending);
      if (content !== undefined) compressed.set(coding, content);
    }
    files.set(name, new StaticContent(type, plain, compressed));
  }
  return files;
}
