import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../../base/errors.ts";
import { folderMark } from "../../files/index.ts";
import { attachmentsPrefix } from "./contents.ts";
import type { TarContent } from "./tar.ts";
import type { ArchiveEntry } from "./tar-archive.ts";

// Both are inside the attachments folder, so that moving a file is a rename even when the folder is a disk of its own.
const incomingPrefix = ".restoring-";
const outgoingPrefix = ".before-restore-";
const isWorkFolder = (name: string) => name.startsWith(incomingPrefix) || name.startsWith(outgoingPrefix);

/** All files below the folder. */
export async function* attachmentEntries(
  folder: string,
  progress: (line: string) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const path of filesBelow(folder)) {
    const file = await open(join(folder, path)).catch((error) => {
      if (error.code !== "ENOENT") throw error;
      progress(`attachments: ${path} was removed meanwhile`);
    });
    if (!file) continue;
    try {
      const { size, mtime } = await file.stat();
      const end = size - 1; // a file that grows is taken as long as it was
      const content = size === 0 ? [] : file.createReadStream({ start: 0, end, autoClose: false });
      yield { name: `${attachmentsPrefix}${path}`, size, modified: mtime, content };
    } finally {
      await file.close();
    }
  }
}

/** Paths with "/" between the parts, in a fixed order. Links and other special files are no attachments. */
async function* filesBelow(folder: string, path = ""): AsyncGenerator<string> {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (path === "" && (isWorkFolder(entry.name) || entry.name === folderMark)) continue;
    if (entry.isDirectory()) yield* filesBelow(folder, `${path}${entry.name}/`);
    else if (entry.isFile()) yield `${path}${entry.name}`;
  }
}

export async function hasFiles(folder: string): Promise<boolean> {
  for await (const _ of filesBelow(folder)) return true;
  return false;
}

/** Restored files: written beside the old ones, then exchanged with them, then final. */
export type IncomingAttachments = {
  add(entry: TarContent): Promise<void>;
  exchange(): Promise<void>;
  keep(): Promise<void>;
  undo(): Promise<void>;
};

export async function receiveAttachments(folder: string): Promise<IncomingAttachments> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name.startsWith(incomingPrefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const fresh = await mkdtemp(join(folder, incomingPrefix));
  const old = await mkdtemp(join(folder, outgoingPrefix));
  const moved: [from: string, to: string][] = [];
  const moveAll = async (from: string, to: string) => {
    for (const name of (await readdir(from)).filter((name) => !isWorkFolder(name))) {
      await rename(join(from, name), join(to, name));
      moved.push([join(from, name), join(to, name)]);
    }
  };
  const removeBoth = async () => {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  };
  return {
    async add(entry) {
      const path = join(fresh, safePath(entry.name));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(entry.content, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
      await utimes(path, entry.modified, entry.modified);
    },
    async exchange() {
      await moveAll(folder, old);
      await moveAll(fresh, folder);
    },
    keep: removeBoth,
    async undo() {
      for (const [from, to] of moved.reverse()) await rename(to, from);
      await removeBoth();
    },
  };
}

/** The name comes from a file of unknown origin: it must not lead out of the folder. */
export function safePath(name: string): string {
  const parts = name.slice(attachmentsPrefix.length).split("/");
  if (
    parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part)) ||
    isWorkFolder(parts[0] ?? "")
  ) {
    throw new OperatorError(`The backup file names an attachment that is not allowed: ${JSON.stringify(name)}.`);
  }
  return join(...parts);
}
