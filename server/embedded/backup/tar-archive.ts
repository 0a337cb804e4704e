import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { OperatorError } from "../../base/errors.ts";
import { endOfTar, readTar, type TarContent, type TarEntry, tarHeader, tarPadding } from "./tar.ts";

export type ArchiveEntry = TarEntry & { content: Iterable<Buffer> | AsyncIterable<Buffer> };

const checksumsName = "SHA256SUMS";

/** Packs the entries into one tar stream that ends with their checksums. */
export async function* packArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  const sums: string[] = [];
  let latest = new Date(0);
  for await (const entry of entries) {
    const hash = createHash("sha256");
    let left = entry.size;
    yield tarHeader(entry);
    for await (const part of entry.content) {
      hash.update(part);
      left -= part.length;
      yield part;
    }
    if (left !== 0) throw new Error(`${entry.name} changed its size while it was read`);
    yield tarPadding(entry.size);
    sums.push(checksumLine(hash.digest("hex"), entry.name));
    latest = entry.modified;
  }
  const list = Buffer.from(sums.join(""));
  yield tarHeader({ name: checksumsName, size: list.length, modified: latest });
  yield list;
  yield tarPadding(list.length);
  yield endOfTar;
}

const checksumLine = (sum: string, name: string) => `${sum}  ${name}\n`;

/**
 * The entries of a backup file; throws at the latest at its end if anything is damaged or missing, so a caller must be
 * able to undo what it did until the last entry was read.
 */
export async function* unpackArchive(file: FileHandle): AsyncGenerator<TarContent> {
  const gunzip = createGunzip();
  pipeline(file.createReadStream({ start: 0, autoClose: false }), gunzip).catch(() => {}); // also thrown to the reader
  const sums: string[] = [];
  let complete = false;
  try {
    for await (const entry of readTar(gunzip)) {
      if (complete) throw new Error(`${entry.name} stands after the checksums`);
      if (entry.name === checksumsName) {
        if ((await readText(entry)) !== sums.join("")) throw new Error("the checksums do not fit the content");
        complete = true;
        continue;
      }
      const hash = createHash("sha256");
      const content = hashContent(entry.content, hash);
      yield { ...entry, content };
      for await (const _ of content); // passed over by the caller, but it counts
      sums.push(checksumLine(hash.digest("hex"), entry.name));
    }
    if (!complete) throw new Error("its end is missing");
  } catch (error) {
    throw new OperatorError(`The backup file is damaged or incomplete: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

async function* hashContent(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
}

export async function readText(entry: TarContent): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of entry.content) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
