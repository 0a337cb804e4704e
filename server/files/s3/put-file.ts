// Sends a file of this machine to the service. It is read from the disk piece by piece, so that an attempt that fails can
// be repeated, and a large file needs no memory.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { S3Location } from "../../base/files-location.ts";
import { StorageAway } from "../errors.ts";
import type { S3Client } from "./s3-client.ts";

export type LocalFile = { handle: FileHandle; size: number; sha256: string };

/** Files up to this size are sent in one piece. */
const maxSinglePut = 64 * 1024 * 1024;
const maxParts = 10_000;
export const checksumHeader = "x-amz-meta-sha256";

export async function putFile(
  client: S3Client,
  key: string,
  file: LocalFile,
  pieceSize = maxSinglePut,
  type = "application/octet-stream",
): Promise<void> {
  const headers = {
    "content-type": type,
    [checksumHeader]: file.sha256,
    ...buildEncryptionHeaders(client.location),
  };
  if (file.size <= pieceSize) {
    const answer = await client.send({
      ...{ method: "PUT", key, headers, size: file.size, sha256: file.sha256 },
      body: () => readRange(file, 0, file.size),
    });
    await answer.body.dump();
    return;
  }
  await putParts(client, key, file, headers, Math.max(pieceSize, Math.ceil(file.size / maxParts)));
}

async function putParts(
  client: S3Client,
  key: string,
  file: LocalFile,
  headers: Record<string, string>,
  partSize: number,
): Promise<void> {
  const begun = await client.sendForText({ method: "POST", key, query: { uploads: "" }, headers });
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1];
  if (uploadId === undefined) throw new StorageAway("the file storage did not begin the upload");
  try {
    const tags: string[] = [];
    for (let start = 0; start < file.size; start += partSize) {
      const size = Math.min(partSize, file.size - start);
      const answer = await client.send({
        ...{ method: "PUT", key, query: { partNumber: String(tags.length + 1), uploadId }, size },
        sha256: await hashRange(file, start, size),
        body: () => readRange(file, start, size),
      });
      await answer.body.dump();
      tags.push(String(answer.headers.etag));
    }
    const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`);
    await client.sendForText({
      ...{ method: "POST", key, query: { uploadId }, size: body.length, body: () => body },
      headers: { "content-type": "application/xml" },
      sha256: createHash("sha256").update(body).digest("hex"),
    });
  } catch (error) {
    // Parts of an upload that is not ended cost money; where this fails, a rule of the bucket removes them.
    await client.send({ method: "DELETE", key, query: { uploadId } }).then(
      (answer) => answer.body.dump(),
      () => {},
    );
    throw error;
  }
}

const chunkBytes = 65_536;

const readRange = (file: LocalFile, start: number, size: number): Readable | Buffer =>
  size === 0 ? Buffer.alloc(0) : Readable.from(readChunks(file, start, size), { objectMode: false });

/** A read stream of Node would close the file when it is destroyed, and with it all further attempts. */
async function* readChunks({ handle }: LocalFile, start: number, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - done));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start + done);
    if (bytesRead === 0) throw new Error("the file became shorter while it was sent");
    done += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

async function hashRange(file: LocalFile, start: number, size: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of readRange(file, start, size)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

export function buildEncryptionHeaders({ encryption, encryptionKey }: S3Location): Record<string, string> {
  if (encryption === null) return {};
  return {
    "x-amz-server-side-encryption": encryption,
    ...(encryptionKey === null ? {} : { "x-amz-server-side-encryption-aws-kms-key-id": encryptionKey }),
  };
}
