import { Readable } from "node:stream";
import { FileMissing, type FileStore } from "../../files/index.ts";
import { type IncomingAttachments, safePath } from "./attachments.ts";
import { attachmentsPrefix } from "./contents.ts";
import type { ArchiveEntry } from "./tar-archive.ts";

// Backup and restore of files in an object storage. Keys are never used for two contents, so restored files need no place
// beside the old ones.

export async function* storedFileEntries(
  files: FileStore,
  progress: (line: string) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const { key, modified } of files.list("")) {
    const found = await files.read(key).catch((error) => {
      if (!(error instanceof FileMissing)) throw error;
      progress(`attachments: ${key} was removed meanwhile`);
    });
    if (!found) continue;
    try {
      yield { name: `${attachmentsPrefix}${key}`, size: found.size, modified, content: found.stream };
    } finally {
      found.stream.destroy();
    }
  }
}

export async function hasStoredFiles(files: FileStore): Promise<boolean> {
  for await (const _ of files.list("")) return true;
  return false;
}

export async function receiveStoredFiles(files: FileStore): Promise<IncomingAttachments> {
  const before = new Set<string>();
  for await (const { key } of files.list("")) before.add(key);
  const restored = new Set<string>();
  return {
    async add(entry) {
      const key = safePath(entry.name);
      restored.add(key);
      await files.write(key, Readable.from(entry.content, { objectMode: false }), entry.size);
    },
    async exchange() {},
    async keep() {
      for (const key of before) if (!restored.has(key)) await files.remove(key);
    },
    async undo() {
      for (const key of restored) if (!before.has(key)) await files.remove(key);
    },
  };
}
