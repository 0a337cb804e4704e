// What can go wrong with a file. The REST room gives each its status and body.

import { Unavailable } from "../../base/errors.ts";

/** More bytes than allowed; nothing was kept. */
export class FileTooLarge extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`The file is larger than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** There is no room for it; nothing was kept. The same call may work later. */
export class DiskFull extends Unavailable {}

/** There is no file of this key, or there could never be one. */
export class FileMissing extends Error {
  constructor() {
    super("There is no such file.");
  }
}

/** A key that no grant of ours can lead to: it points outside the store, or its parts are no names. */
export class BadKey extends Error {
  constructor() {
    super("The key of the file is not valid.");
  }
}

/** The body is not a complete multipart form with one file at its end; the message says what is amiss. */
export class MalformedUpload extends Error {}
