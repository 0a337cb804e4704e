// Files are being moved from an old store to a new one: they are written to the new one and found in both.

import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { FileMissing } from "./errors.ts";
import type { DirectTransfer, FileStore, StoredFile } from "./file-store.ts";

export class FallbackStore implements FileStore {
  readonly direct: DirectTransfer | null;
  readonly #store: FileStore;
  readonly #old: FileStore;

  constructor(store: FileStore, old: FileStore) {
    this.#store = store;
    this.#old = old;
    // The new store cannot give clients what it does not have yet: downloads pass through this server.
    this.direct = null;
  }

  openTemporary(): Promise<FileHandle> {
    return this.#store.openTemporary();
  }

  write(key: string, stream: Readable, limit: number): Promise<{ size: number; sha256: string }> {
    return this.#store.write(key, stream, limit);
  }

  read(key: string, start = 0): Promise<{ stream: Readable; size: number }> {
    return this.#tryBoth((store) => store.read(key, start));
  }

  async copy(key: string, to: string, limit: number): Promise<void> {
    try {
      await this.#store.copy(key, to, limit);
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      const { stream } = await this.read(key);
      await this.#store.write(to, stream, limit);
    }
  }

  getSize(key: string): Promise<number | null> {
    return this.#tryBoth(async (store) => {
      const size = await store.getSize(key);
      if (size === null) throw new FileMissing();
      return size;
    }).catch((error) => {
      if (error instanceof FileMissing) return null;
      throw error;
    });
  }

  /** First from the old store: a move that still finds the file there has not written its copy for the last time. */
  async remove(key: string): Promise<void> {
    await this.#old.remove(key);
    await this.#store.remove(key);
  }

  async removeFolder(key: string): Promise<void> {
    await this.#old.removeFolder(key);
    await this.#store.removeFolder(key);
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    // The old store first: a file that is moved meanwhile is listed by the new one.
    const listed = new Set<string>();
    for await (const file of this.#old.list(prefix)) {
      listed.add(file.key);
      yield file;
    }
    for await (const file of this.#store.list(prefix)) if (!listed.has(file.key)) yield file;
  }

  async check(): Promise<void> {
    await this.#store.check();
    await this.#old.check();
  }

  /** A file that is moved meanwhile is in the new store when it has gone from the old one. */
  async #tryBoth<T>(act: (store: FileStore) => Promise<T>): Promise<T> {
    for (const store of [this.#store, this.#old])
      try {
        return await act(store);
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error;
      }
    return act(this.#store);
  }
}
