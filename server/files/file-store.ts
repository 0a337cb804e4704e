import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { S3Form } from "./s3-form.ts";

export type StoredFile = { key: string; size: number; modified: Date };

/** The address where clients exchange files with the store without passing through this server. */
export type DirectTransfer = {
  /** scheme, host and port, for the content security policy of pages */
  origin: string;
  uploadUri: string;
  createForm(key: string): S3Form;
  /** An address that holds for a few minutes. */
  signDownload(key: string): Promise<string>;
};

/** Stores files under keys: paths with "/", whose parts do not begin with a dot. */
export interface FileStore {
  /** null: all files pass through this server */
  readonly direct: DirectTransfer | null;
  /** A file of this machine without a name: it is deleted when it is closed. */
  openTemporary(): Promise<FileHandle>;
  /** All or nothing: the file appears under its key after its last byte is stored. */
  write(key: string, stream: Readable, limit: number): Promise<{ size: number; sha256: string }>;
  /** The caller reads or destroys the stream. `start`: bytes to leave out; `size` is that of the whole file. */
  read(key: string, start?: number): Promise<{ stream: Readable; size: number }>;
  copy(key: string, to: string, limit: number): Promise<void>;
  /** Bytes; null: there is no such file. */
  getSize(key: string): Promise<number | null>;
  /** Removing a missing file is no error: the result is the same. */
  remove(key: string): Promise<void>;
  /** Removes all files below a folder. */
  removeFolder(key: string): Promise<void>;
  /** The files whose keys begin with the prefix. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Fails when the store cannot be used, and says why. */
  check(): Promise<void>;
}
