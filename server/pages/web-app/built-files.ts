import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

// What `npm install` built, read once: a build while we run must not mix old pages with new scripts.

export const builtFolder = join(import.meta.dirname, "..", "..", "..", "web", "dist");

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export type BuiltFile = {
  type: string;
  tag: string;
  plain: Buffer;
  /** by content coding, best first */
  compressed: ReadonlyMap<string, Buffer>;
};

/** By path below the folder; empty when nothing has been built. */
export async function loadBuiltFiles(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const bytes = new Map<string, Buffer>();
  for (const name of names)
    if (/\.\w+$/.test(name)) bytes.set(name.replaceAll("\\", "/"), await readFile(join(folder, name)));
  const files = new Map<string, BuiltFile>();
  for (const [name, plain] of bytes) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const packed = new Map<string, Buffer>();
    for (const [coding, ending] of [["br", ".br"] as const, ["gzip", ".gz"] as const]) {
      const smaller = bytes.get(name + ending);
      if (smaller !== undefined) packed.set(coding, smaller);
    }
    files.set(name, { type, plain, compressed: packed, tag: `"${createHash("md5").update(plain).digest("hex")}"` });
  }
  return files;
}
