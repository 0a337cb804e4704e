import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { FileTooLarge } from "./errors.ts";

/** Writes a stream to a file of this machine as it arrives. */
export async function receiveBytes(
  handle: FileHandle,
  stream: Readable,
  limit: number,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new FileTooLarge(limit);
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  return { size, sha256: hash.digest("hex") };
}
