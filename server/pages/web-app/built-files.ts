import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
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

/** A file of these types or its compressed form; the build also leaves folders and lists for tools. */
const isServed = (name: string): boolean => types[extname(name.replace(/\.(br|gz)$/, ""))] !== undefined;

/** Files by path; empty when nothing has been built. */
export async function loadBuiltFiles(folder: string): Promise<ReadonlyMap<string, StaticContent>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const bytes = new Map<string, Buffer>();
  for (const name of names)
    if (isServed(name)) bytes.set(name.replaceAll("\\", "/"), await readFile(join(folder, name)));
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
