// Stores files in a bucket of an S3-compatible service. What is written is first complete on this machine: only then its
// size and checksum are known, and an attempt that fails can be repeated although the client has sent its bytes once.

import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { S3Location } from "../../base/files-location.ts";
import { BadKey, DiskFull, FileMissing, isDiskFullError } from "../errors.ts";
import { splitKey } from "../file-key.ts";
import type { DirectTransfer, FileStore, StoredFile } from "../file-store.ts";
import { receiveBytes } from "../receive-bytes.ts";
import { listObjects } from "./list-objects.ts";
import { createPostForm } from "./post-form.ts";
import { buildEncryptionHeaders, type LocalFile, putFile } from "./put-file.ts";
import { loadObjectSize, readObject } from "./read-object.ts";
import { encodePath, S3Client } from "./s3-client.ts";

const downloadSeconds = 300;

/** The folder for unfinished files, on this machine. */
type Scratch = { openTemporary(): Promise<FileHandle> };

export class S3Store implements FileStore {
  readonly direct: DirectTransfer | null;
  readonly #client: S3Client;
  readonly #scratch: Scratch;

  constructor(location: S3Location, scratch: Scratch) {
    this.#client = new S3Client(location);
    this.#scratch = scratch;
    this.direct = location.isDirect ? createDirectTransfer(this.#client) : null;
  }

  openTemporary(): Promise<FileHandle> {
    return this.#scratch.openTemporary();
  }

  async write(key: string, stream: Readable, limit: number): Promise<{ size: number; sha256: string }> {
    stream.on("error", () => {}); // it may fail before it is read
    let handle: FileHandle | null = null;
    try {
      splitKey(key);
      handle = await this.#scratch.openTemporary();
      const received = await receiveBytes(handle, stream, limit);
      await putFile(this.#client, key, { handle, ...received });
      return received;
    } catch (error) {
      throw isDiskFullError(error) ? new DiskFull("the disk is full", { cause: error }) : error;
    } finally {
      await handle?.close();
      stream.destroy();
    }
  }

  /** Sends a file of this machine. */
  async putLocalFile(key: string, file: LocalFile): Promise<void> {
    splitKey(key);
    await putFile(this.#client, key, file);
  }

  async read(key: string, start = 0): Promise<{ stream: Readable; size: number }> {
    return readObject(this.#client, requireKey(key), start);
  }

  async copy(key: string, to: string, _limit: number): Promise<void> {
    const { bucket, prefix } = this.#client.location;
    splitKey(to);
    await this.#client.sendForText({
      method: "PUT",
      key: to,
      headers: {
        "x-amz-copy-source": `/${bucket}/${encodePath(`${prefix}${requireKey(key)}`)}`,
        ...buildEncryptionHeaders(this.#client.location),
      },
    });
  }

  async getSize(key: string): Promise<number | null> {
    return isKey(key) ? loadObjectSize(this.#client, key) : null;
  }

  async remove(key: string): Promise<void> {
    splitKey(key);
    try {
      await (await this.#client.send({ method: "DELETE", key })).body.dump();
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
    }
  }

  async removeFolder(key: string): Promise<void> {
    splitKey(key);
    for await (const file of this.list(`${key}/`)) await this.remove(file.key);
  }

  list(prefix: string): AsyncGenerator<StoredFile> {
    return listObjects(this.#client, prefix);
  }

  async check(): Promise<void> {
    for await (const _ of listObjects(this.#client, "")) return;
  }
}

function isKey(key: string): boolean {
  try {
    splitKey(key);
    return true;
  } catch (error) {
    if (error instanceof BadKey) return false;
    throw error;
  }
}

function requireKey(key: string): string {
  if (!isKey(key)) throw new FileMissing();
  return key;
}

const createDirectTransfer = (client: S3Client): DirectTransfer => ({
  origin: new URL(client.bucketUrl).origin,
  uploadUri: client.bucketUrl,
  // The service compares moments with its own clock, not with ours.
  createForm: (key) => createPostForm(client.location, key, new Date()),
  // The last part of the address is the name of the file, which browsers use.
  signDownload: (key) =>
    client.signAddress(key, downloadSeconds, {
      "response-content-disposition": "attachment",
      "response-content-type": "application/octet-stream",
    }),
});
