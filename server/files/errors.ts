// Errors of the file store. The API maps each to its status and body.

import { Unavailable } from "../base/errors.ts";

/** More bytes than allowed; nothing was stored. */
export class FileTooLarge extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`The file is larger than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** The disk is full; nothing was stored. The same call may work later. */
export class DiskFull extends Unavailable {}

export const isDiskFullError = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException | null)?.code));

/** The object storage does not answer or refuses us. The same call may work later. */
export class StorageAway extends Unavailable {}

/** The content that was read differs from the stored one. */
export class FileDamaged extends Error {
  constructor(key: string) {
    super(`The file ${key} has another checksum than was stored with it.`);
  }
}

/** No file exists for this key. */
export class FileMissing extends Error {
  constructor() {
    super("There is no such file.");
  }
}

/** An invalid key: it points outside the store, or one of its parts is not a valid name. */
export class BadKey extends Error {
  constructor() {
    super("The key of the file is not valid.");
  }
}

/** Not a complete multipart form with one file at its end; the message names the problem. */
export class MalformedUpload extends Error {}
