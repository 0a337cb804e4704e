// Stores files in a folder of this machine. A key is a path below that folder and cannot lead out of it.

import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { BadKey, DiskFull, FileMissing, FileTooLarge } from "./errors.ts";

type UnfinishedFile = { folder: string; name: string; temporary: string; handle: FileHandle };

export class FileStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A file without a name: it is gone when it is closed. */
  async openTemporary(): Promise<FileHandle> {
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, `.${randomBytes(12).toString("hex")}.part`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    return handle;
  }

  /** All or nothing: the file appears under its key after its last byte is on the disk. */
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

  /** The caller reads or destroys the stream; until then the file is open. */
  async read(key: string): Promise<{ stream: Readable; size: number }> {
    const handle = await this.#open(key);
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), size };
  }

  async copy(key: string, to: string, limit: number): Promise<void> {
    const { stream } = await this.read(key);
    await this.write(to, stream, limit);
  }

  /** Bytes; null: there is no such file. */
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

  async exists(key: string): Promise<boolean> {
    return (await this.getSize(key)) !== null;
  }

  /** Removing a missing file is no error: the result is the same. */
  async remove(key: string): Promise<void> {
    try {
      const { folder, name } = await this.#place(key, "find");
      await unlink(join(folder, name));
      await rmdir(folder).catch(() => {});
    } catch (error) {
      if (!isMissingError(error)) throw error;
    }
  }

  /** Removes a folder with all its files, unfinished ones included. */
  async removeFolder(key: string): Promise<void> {
    try {
      const { folder, name } = await this.#place(key, "find");
      await rm(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if (!isMissingError(error)) throw error;
    }
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

/** Keys have no names with a leading dot: these are `..` and unfinished files. */
function splitKey(key: string): string[] {
  const parts = key.split("/");
  const isName = (part: string) => /^[^.\\\p{Cc}][^\\\p{Cc}]*$/u.test(part) && Buffer.byteLength(part) <= 255;
  if (key.length > 1024 || !key.isWellFormed() || !parts.every(isName)) throw new BadKey();
  return parts;
}

async function writeDurably(
  handle: FileHandle,
  stream: Readable,
  limit: number,
): Promise<{ size: number; sha256: string }> {
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > limit) throw new FileTooLarge(limit);
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return { size, sha256: hash.digest("hex") };
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

const isDiskFullError = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException | null)?.code));

function isMissingError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(String(code));
}
