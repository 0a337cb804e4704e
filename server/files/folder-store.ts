// Stores files in a folder of this machine. A key is a path below that folder and cannot lead out of it.

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { BadKey, DiskFull, FileMissing, isDiskFullError } from "./errors.ts";
import { splitKey } from "./file-key.ts";
import type { FileStore, StoredFile } from "./file-store.ts";
import { receiveBytes } from "./receive-bytes.ts";

type UnfinishedFile = { folder: string; name: string; temporary: string; handle: FileHandle };

export class FolderStore implements FileStore {
  readonly direct = null;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async openTemporary(): Promise<FileHandle> {
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, `.${randomBytes(12).toString("hex")}.part`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    return handle;
  }

  async write(key: string, stream: Readable, limit: number): Promise<{ size: number; sha256: string }> {
    // The stream may fail before it is read, and an error without a listener ends the process.
    stream.on("error", () => {});
    try {
      const { folder, name, temporary, handle } = await this.#begin(key);
      try {
        const written = await writeDurably(handle, stream, limit);
        await rename(temporary, join(folder, name));
        await syncFolder(folder);
        return written;
      } catch (error) {
        await unlink(temporary).catch(() => {});
        await rmdir(folder).catch(() => {}); // only when it is empty
        throw error;
      }
    } catch (error) {
      throw isDiskFullError(error) ? new DiskFull("the disk is full", { cause: error }) : error;
    } finally {
      stream.destroy();
    }
  }

  async read(key: string, start = 0): Promise<{ stream: Readable; size: number }> {
    const handle = await this.#open(key);
    const { size } = await handle.stat();
    return { stream: handle.createReadStream({ start }), size };
  }

  async copy(key: string, to: string, limit: number): Promise<void> {
    const { stream } = await this.read(key);
    await this.write(to, stream, limit);
  }

  async getSize(key: string): Promise<number | null> {
    try {
      const handle = await this.#open(key);
      const { size } = await handle.stat().finally(() => handle.close());
      return size;
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    try {
      const { folder, name } = await this.#place(key, "find");
      await unlink(join(folder, name));
      await rmdir(folder).catch(() => {});
    } catch (error) {
      if (!isMissingError(error)) throw error;
    }
  }

  /** Also removes unfinished files. */
  async removeFolder(key: string): Promise<void> {
    try {
      const { folder, name } = await this.#place(key, "find");
      await rm(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if (!isMissingError(error)) throw error;
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    for await (const key of listKeys(this.#directory, folder)) {
      if (!key.startsWith(prefix)) continue;
      const found = await lstat(join(this.#directory, key)).catch(() => null); // it may be removed meanwhile
      if (found?.isFile()) yield { key, size: found.size, modified: found.mtime };
    }
  }

  async check(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    await access(this.#directory, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** Writes an unfinished file beside its final place: renaming is atomic only within one folder. */
  async #begin(key: string, triesLeft = 5): Promise<UnfinishedFile> {
    try {
      const { folder, name } = await this.#place(key, "make");
      const temporary = join(folder, `.${randomBytes(12).toString("hex")}.part`);
      return { folder, name, temporary, handle: await open(temporary, "wx", 0o600) };
    } catch (error) {
      // A concurrent failed upload of the same grant has removed the folder.
      if (isMissingError(error) && triesLeft > 0) return this.#begin(key, triesLeft - 1);
      throw error;
    }
  }

  async #open(key: string): Promise<FileHandle> {
    try {
      const { folder, name } = await this.#place(key, "find");
      // O_NONBLOCK: opening a named pipe must not block.
      const handle = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
    } catch (error) {
      if (!isMissingError(error) && !(error instanceof BadKey)) throw error;
    }
    throw new FileMissing();
  }

  /** Descends folder by folder, so that a symbolic link on the way is detected before anything is created behind it. */
  async #place(key: string, way: "make" | "find"): Promise<{ folder: string; name: string }> {
    const parts = splitKey(key);
    const name = parts.pop() ?? "";
    if (way === "make") await mkdir(this.#directory, { recursive: true });
    let folder = await realpath(this.#directory);
    for (const part of parts) {
      folder = join(folder, part);
      if (way === "make") await mkdir(folder).catch(ignoreExisting);
      if (!(await lstat(folder)).isDirectory()) throw new BadKey();
    }
    return { folder, name };
  }
}

/** In a fixed order, without unfinished files. Links and other special files are no files of the store. */
async function* listKeys(directory: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch((error) => {
    if (isMissingError(error)) return [];
    throw error;
  });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry;
    if (name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* listKeys(directory, `${folder}${name}/`);
    else if (entry.isFile()) yield `${folder}${name}`;
  }
}

async function writeDurably(
  handle: FileHandle,
  stream: Readable,
  limit: number,
): Promise<{ size: number; sha256: string }> {
  try {
    const received = await receiveBytes(handle, stream, limit);
    await handle.sync();
    return received;
  } finally {
    await handle.close();
  }
}

/** A new name survives a power cut only after its folder was synced, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function isMissingError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(String(code));
}
